import { IMAGE_MAX_BYTES } from '@settee/protocol/model/media';
import { imageTexts } from '@settee/protocol/texts/imageTexts';
import { texts } from '@settee/protocol/texts/texts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { aPhoto, carrying, drag, drop, paste } from '../../../test/someFiles.ts';
import type { Uploads } from '../images/upload/upload.ts';
import { Composer } from './Composer.tsx';

async function renderComposer() {
  const sent: string[] = [];
  const uploads: Pick<Uploads, 'addRead'> = { addRead: ({ file }) => sent.push(file.name) };
  const screen = await render(
    <Composer
      draft=""
      onDraft={() => {}}
      onSend={async (text) => void sent.push(text)}
      openUploads={async () => uploads as Uploads}
      onTyping={() => {}}
      focusAtOnce
    />,
  );
  const input = screen.container.querySelector('input[type=file]') as HTMLInputElement;
  return {
    screen,
    sent,
    pick: (...files: File[]) => userEvent.upload(input, files),
    field: screen.getByRole('textbox'),
    alert: screen.getByRole('alert'),
    names: () => [...document.querySelectorAll('li')].map((one) => one.querySelector('p')?.textContent),
  };
}

const aPdf = () => new File(['%PDF-1.7'], 'letter.pdf', { type: 'application/pdf' });

test('a caption waits for its image, which is still being read; text typed later is not sent', async () => {
  const { screen, sent, pick, field } = await renderComposer();
  const reading = Promise.withResolvers<void>();
  const read = Blob.prototype.arrayBuffer;
  const held = vi.spyOn(Blob.prototype, 'arrayBuffer').mockImplementation(async function (this: Blob) {
    await reading.promise;
    return read.call(this);
  });
  onTestFinished(() => held.mockRestore());
  await pick(await aPhoto('early.jpg'));
  await field.fill('the caption');
  await userEvent.keyboard('{Enter}');
  await userEvent.keyboard(' and more');
  await expect.element(screen.getByRole('button', { name: texts.sending })).toBeVisible();
  expect(sent).toEqual([]);
  reading.resolve();
  await expect.poll(() => sent).toEqual(['early.jpg', 'the caption']);
  await expect.element(field).toHaveValue(' and more');
});

test('[C-03] [C-04] a wrong file is refused with its text until the visitor writes; a right one waits', async () => {
  const { screen, pick, field, alert, names, sent } = await renderComposer();
  await pick(aPdf());
  await expect.element(alert).toHaveTextContent(texts.imageWrongType);
  await field.fill('words go on');
  await expect.element(alert).not.toBeInTheDocument();
  await field.fill('');

  const photo = await aPhoto('page.jpg');
  const filling = new Uint8Array(IMAGE_MAX_BYTES);
  drop(new File([photo, filling], 'large.jpg', { type: 'image/jpeg' }));
  await expect.element(alert).toHaveTextContent(texts.imageTooLarge);

  // One of the two files is valid, and it is kept.
  await pick(photo, new File(['notes'], 'notes.txt', { type: 'text/plain' }));
  await expect.element(alert).toHaveTextContent(texts.imageWrongType);
  await expect.poll(names).toEqual(['page.jpg']);
  await screen.getByRole('button', { name: 'Remove page.jpg' }).click();
  expect(names()).toEqual([]);
  await expect.element(field).toHaveFocus();
  expect(sent).toEqual([]);
});

test('images are pasted, and dropped anywhere on the page; dragged text is left to the browser', async () => {
  const { screen, field, names, sent } = await renderComposer();
  const place = screen.getByText(imageTexts.dropHere);
  await field.click();
  paste(await aPhoto('image.png'));
  await expect.poll(names).toEqual(['image.png']);

  const file = carrying([aPdf()]);
  drag('dragover', file);
  await expect.element(place).toBeVisible();
  drag('dragleave', file);
  await expect.element(place).not.toBeInTheDocument();
  drop(await aPhoto('page.jpg'));
  await expect.poll(names).toEqual(['image.png', 'page.jpg']);
  await expect.element(place).not.toBeInTheDocument();

  const text = new DataTransfer();
  text.setData('text/plain', 'words');
  drag('dragover', text);
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => sent).toEqual(['image.png', 'page.jpg']);
  await expect.element(place).not.toBeInTheDocument();
});

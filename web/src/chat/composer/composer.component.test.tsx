import { IMAGE_MAX_BYTES } from '@settee/protocol/model/media';
import { imageTexts } from '@settee/protocol/texts/imageTexts';
import { texts } from '@settee/protocol/texts/texts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { aPhoto, carrying, drag, drop, paste } from '../../../test/browser.ts';
import { aStore } from '../../../test/unsent.ts';
import type { Uploads } from '../images/upload/upload.ts';
import { openDraft } from '../outbox/draft.ts';
import { Composer } from './Composer.tsx';

const composer = (onSend: (text: string) => Promise<void>) => (
  <Composer
    draft={openDraft(aStore({ whose: 'visitor' }), 'chat')}
    onSend={({ text }) => onSend(text)}
    openUploads={() => Promise.reject(new Error('no images here'))}
    onTyping={() => {}}
    focusAtOnce={false}
  />
);

test('[V-17] [V-18] [C-05] the composer sends trimmed text on Enter, adds a line on Shift+Enter and never sends blank text', async () => {
  const sent: string[] = [];
  const screen = await render(composer(async (text) => void sent.push(text)));
  const field = screen.getByPlaceholder('Message...');
  const submit = screen.getByRole('button', { name: 'Send', exact: true });
  await expect.element(screen.getByRole('button', { name: 'Send an image' })).toBeVisible();
  await expect.element(submit).toHaveAttribute('aria-disabled', 'true');
  await field.fill('   \n ');
  await userEvent.keyboard('{Enter}');
  await expect.element(submit).toHaveAttribute('aria-disabled', 'true');
  expect(sent).toEqual([]);
  await field.fill('  line one');
  await expect.element(submit).toHaveAttribute('aria-disabled', 'false');
  await userEvent.keyboard('{Shift>}{Enter}{/Shift}line two  ');
  await expect.element(field).toHaveValue('  line one\nline two  ');
  expect(sent).toEqual([]);
  await userEvent.keyboard('{Enter}');
  await expect.element(field).toHaveValue('');
  expect(sent).toEqual(['  line one\nline two  ']);
});

test('[V-19] the field grows to 120 px, then scrolls', async () => {
  const screen = await render(composer(async () => {}));
  const field = screen.getByPlaceholder('Message...');
  const element = field.element();
  const height = () => element.getBoundingClientRect().height;
  const low = height();
  await field.fill('1\n2\n3');
  expect(height()).toBeGreaterThan(low);
  await field.fill('1\n2\n3\n4\n5\n6\n7\n8');
  expect(height()).toBe(120);
  expect(getComputedStyle(element).overflowY).toBe('auto');
  expect(element.scrollHeight).toBeGreaterThan(120);
});

test('[C-05] while one message is being stored, no other is sent', async () => {
  const sent: string[] = [];
  let stored = () => {};
  const onSend = (text: string) => {
    sent.push(text);
    return new Promise<void>((resolve) => (stored = resolve));
  };
  const screen = await render(composer(onSend));
  const field = screen.getByPlaceholder('Message...');
  await field.fill('first');
  await userEvent.keyboard('{Enter}');
  const busy = screen.getByRole('button', { name: 'Sending...' });
  await expect.element(busy).toHaveAttribute('aria-disabled', 'true');
  await field.fill('second');
  await userEvent.keyboard('{Enter}');
  expect(sent).toEqual(['first']);
  await expect.element(field).toHaveValue('second');
  stored();
  await expect
    .element(screen.getByRole('button', { name: 'Send', exact: true }))
    .toHaveAttribute('aria-disabled', 'false');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => sent).toEqual(['first', 'second']);
});

test('text that is too long stays in the field, is explained, and is not sent', async () => {
  const sent: string[] = [];
  const screen = await render(composer(async (text) => void sent.push(text)));
  const field = screen.getByRole('textbox');
  await field.fill('a'.repeat(3_799));
  await expect.element(screen.getByText(/4,000/)).not.toBeInTheDocument();
  await field.fill('a'.repeat(3_800));
  await expect.element(screen.getByText('3,800/4,000')).toBeVisible();
  await field.fill('a'.repeat(5_000));
  await expect.element(screen.getByText('5,000/4,000')).toBeVisible();
  await expect.element(screen.getByText(/Too long to send/)).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect.element(field).toHaveValue('a'.repeat(5_000));
  expect(sent).toEqual([]);
  await field.fill(`  ${'a'.repeat(4_000)}  `);
  await expect.element(screen.getByText(/Too long to send/)).not.toBeInTheDocument();
  await userEvent.keyboard('{Enter}');
  expect(sent).toHaveLength(1);
});

async function renderComposer() {
  const sent: string[] = [];
  const draft = openDraft(aStore({ whose: 'visitor' }), 'chat');
  const uploads: Pick<Uploads, 'addRead'> = { addRead: ({ file }) => sent.push(file.name) };
  const screen = await render(
    <Composer
      draft={draft}
      onSend={async ({ text }) => void sent.push(text)}
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

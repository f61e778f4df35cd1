import { expect, onTestFinished, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { aChat } from '../../../test/aDesk.ts';
import { addMessage } from '../../../test/fakeChats.ts';
import { idOf } from '../../../test/idOf.ts';
import { aPicture } from '../../../test/lossyUploads.ts';
import { renderConsole } from '../../../test/renderConsole.tsx';
import { aPhoto, carrying } from '../../../test/someFiles.ts';

/** An image as the server gives it. */
const drawn = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="2" height="1"/>')}`;

/** The file dialog of the browser, which a test cannot use. */
function fileDialog() {
  const click = vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(() => {});
  onTestFinished(() => click.mockRestore());
  return async (file: File) => {
    await expect.poll(() => click.mock.contexts.length).toBe(1);
    const input = click.mock.contexts[0] as HTMLInputElement;
    input.files = carrying([file]).files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  };
}

test('by keyboard alone: an image from the palette, out of a note, sent with Enter', async () => {
  const jonas = aChat('Jonas Weber');
  const { screen, gateway } = await renderConsole({
    path: `/handler/conversation/${jonas.conversation.id}`,
    chats: [jonas],
    answers: {
      beginUpload: { uploadUrl: null, expiresAt: 0 },
      finishUpload: ({ params }) => ({ state: 'ready', media: aPicture(params.mediaId ?? '') }),
      readMedia: { url: drawn, expiresAt: 0 },
    },
  });
  gateway.onFrame.sendMedia = ({ conversationId, id, mediaId }) => {
    const { seq, createdAt } = addMessage(jonas, { id, sender: 'owner', text: '', ...aPicture(mediaId) });
    return [{ type: 'ack', conversationId, id, seq, createdAt }];
  };
  const reply = screen.getByRole('textbox', { name: 'Type your message...' });
  const note = screen.getByRole('textbox', { name: 'Write a note that only staff see...' });
  await reply.click();
  await userEvent.keyboard('{Control>}i{/Control}');
  await expect.element(note).toHaveFocus();
  await userEvent.keyboard('About the harbour');
  const choose = fileDialog();
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(screen.getByRole('combobox')).toHaveFocus();
  await userEvent.keyboard('image');
  await expect
    .element(screen.getByRole('option', { name: /^Send an image/ }))
    .toHaveAttribute('aria-selected', 'true');
  await userEvent.keyboard('{Enter}');
  await expect.element(reply).toHaveFocus();
  await choose(await aPhoto('harbour.jpg'));
  const remove = screen.getByRole('button', { name: 'Remove harbour.jpg' });
  await expect.element(remove).toBeVisible();
  await expect.element(reply).toHaveFocus();
  await userEvent.tab({ shift: true });
  await expect.element(remove).toHaveFocus();
  await userEvent.tab();
  await expect.element(reply).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  const image = screen.getByRole('log').getByRole('button', { name: /^Your image/ });
  await expect.element(image).toBeVisible();
  await expect.poll(() => gateway.received('sendMedia').length).toBe(1);
  await screen.getByRole('tab', { name: 'Note' }).click();
  await expect.element(note).toHaveValue('About the harbour');
});

test('an image of the chat is viewed by keyboard alone, and the console’s shortcuts are off meanwhile', async () => {
  const jonas = aChat('Jonas Weber', [{ sender: 'owner', text: '', ...aPicture(idOf('harbour')) }]);
  const { screen, gateway } = await renderConsole({
    path: `/handler/conversation/${jonas.conversation.id}`,
    chats: [jonas],
    answers: { readMedia: { url: drawn, expiresAt: 0 } },
  });
  const image = screen.getByRole('log').getByRole('button', { name: /^Your image/ });
  await expect.element(image).toBeVisible();
  await screen.getByRole('textbox', { name: 'Type your message...' }).fill('A draft');
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('log')).toHaveFocus();
  await userEvent.tab();
  await expect.element(image).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  const viewer = screen.getByRole('dialog', { name: 'Image viewer' });
  await expect.element(viewer).toBeVisible();
  await userEvent.keyboard('{Control>}e{/Control}');
  await userEvent.keyboard('{Escape}');
  await expect.element(viewer).not.toBeInTheDocument();
  await expect.element(image).toHaveFocus();
  expect(gateway.asked('setStatus')).toEqual([]);
});

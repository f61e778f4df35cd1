import { afterEach, expect, test, vi } from 'vitest';
import { inviteToken } from '../../../test/aVisitor.ts';
import { idOf } from '../../../test/idOf.ts';
import { renderVisitor } from '../../../test/renderVisitor.tsx';
import { browserOutbox } from '../../chat/outbox/safeOutbox.ts';
import { forgetLeftChats } from './forgetChat.ts';

vi.mock('./forgetChat.ts', { spy: true });
afterEach(() => void vi.mocked(forgetLeftChats).mockReset());

const stored = () => Object.entries(localStorage).map((entry) => entry.join(' '));
const unsent = async () => (await browserOutbox('visitor').list(idOf('Ida'))).map(({ text }) => text);

/** A chat with a draft and an unsent message, deleted by its visitor. */
async function deleteChat() {
  const { screen, gateway } = await renderVisitor({ name: 'Ida', answers: { eraseOwn: {} } });
  gateway.onFrame.send = () => [];
  const composer = screen.getByPlaceholder('Message...');
  await composer.fill('never sent');
  await screen.getByRole('button', { name: 'Send' }).click();
  await expect.poll(unsent).toEqual(['never sent']);
  await composer.fill('an unfinished draft');
  await expect.poll(stored).toContainEqual(expect.stringContaining('an unfinished draft'));
  await screen.getByRole('button', { name: 'More' }).click();
  await screen.getByRole('menuitem', { name: 'Delete conversation' }).click();
  await screen.getByRole('dialog').getByRole('button', { name: 'Delete conversation' }).click();
  await expect.element(screen.getByRole('heading', { name: 'Conversation deleted' })).toBeVisible();
  return screen;
}

test('[PRIVACY-06] a deleted conversation leaves nothing in the browser', async () => {
  await deleteChat();
  await expect.poll(stored).toEqual([]);
  expect(await unsent()).toEqual([]);
});

test('[PRIVACY-06] a page that closes before it has removed a deleted conversation does so at the next start', async () => {
  // It loads the script of the deletion, and then it closes.
  vi.mocked(forgetLeftChats).mockReturnValue(new Promise(() => {}));
  const screen = await deleteChat();
  await expect.poll(() => forgetLeftChats).toHaveBeenCalled();
  await screen.unmount();
  // The chat cannot be opened again, also without a network.
  expect(localStorage.getItem(`seat_${inviteToken}`)).toBeNull();
  expect(localStorage.getItem(`draft_${idOf('Ida')}`)).toBe('an unfinished draft');

  vi.mocked(forgetLeftChats).mockReset();
  const other = await renderVisitor({ path: '/i/another', attached: false });
  await expect.element(other.screen.getByRole('button', { name: 'Start chat' })).toBeVisible();
  await expect.poll(stored).toEqual([]);
  expect(await unsent()).toEqual([]);
});

import { expect, test } from 'vitest';
import { aChat } from '../../../test/aDesk.ts';
import { idOf } from '../../../test/idOf.ts';
import { renderConsole } from '../../../test/renderConsole.tsx';

test('"Conversation not found" shows once, not again after a reload', async () => {
  const path = `/handler/conversation/${idOf('nobody')}`;
  const { screen } = await renderConsole({ path, chats: [] });
  await expect.element(screen.getByText('Conversation not found')).toBeVisible();
  expect(location.pathname).toBe('/handler');
  // A reload keeps the state of the address. The router keeps its own part in `usr`.
  await expect.poll(() => (history.state as { usr?: unknown }).usr).toBeNull();
});

test('[CONSOLE-28] a chat that left the desk can be read, and its notice leads back to the queue', async () => {
  const jonas = aChat('Jonas Weber', ['Who are you?']);
  const { screen, gateway } = await renderConsole({
    path: `/handler/conversation/${jonas.conversation.id}`,
    chats: [jonas],
  });
  await expect.element(screen.getByRole('log').getByText('Who are you?')).toBeVisible();
  gateway.push({ type: 'gone', conversationId: jonas.conversation.id });
  const notice = screen
    .getByRole('status')
    .filter({ hasText: 'This conversation is no longer at your desk.' });
  await expect.element(notice).toBeVisible();
  await expect.element(screen.getByRole('log').getByText('Who are you?')).toBeVisible();
  await notice.getByRole('button', { name: 'Back to Queue' }).click();
  await expect.poll(() => location.pathname).toBe('/handler');
});

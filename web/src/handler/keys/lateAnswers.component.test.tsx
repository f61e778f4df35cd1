import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { ana } from '../../../test/aDesk.ts';
import {
  addressOf,
  composer,
  expectAddress,
  focus,
  fromPalette,
  press,
  queueRow,
  threeChats,
  typeText,
} from '../../../test/byKeyboard.ts';
import { lost } from '../../../test/fakeGateway.ts';
import { renderConsole } from '../../../test/renderConsole.tsx';

const jonas = addressOf('Jonas Weber');
const adaeze = addressOf('Adaeze Obi');

/** From now on no timer of the page ends, so a toast stays until `vi.useRealTimers()`. */
const stopTimers = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

test('[CONSOLE-33] [CONSOLE-28] a late answer does not move a handler who went on', async () => {
  const { gateway } = await renderConsole({ path: jonas, chats: threeChats() });
  await focus(page.getByRole('log'));
  stopTimers();

  // The first chat closes while the handler types in the second. The typing is not interrupted.
  const close = gateway.hold('setStatus');
  await press('Control+e');
  await expect.poll(() => gateway.asked('setStatus')).toHaveLength(1);
  await press('Alt+ArrowDown');
  await expectAddress(adaeze);
  await expect.element(composer).toHaveFocus();
  await typeText('half a ');
  close();
  await expect.element(page.getByText('Closed the chat with Jonas Weber.')).toBeVisible();
  await typeText('thought');
  await expect.element(composer).toHaveValue('half a thought');
  await expectAddress(adaeze);

  // The same for Undo: typing continues.
  const reopen = gateway.hold('setStatus');
  await page.getByRole('button', { name: /^Undo/ }).click();
  await expect.poll(() => gateway.asked('setStatus')).toHaveLength(2);
  await focus(composer);
  reopen();
  await expect.element(page.getByText('Reopened the chat with Jonas Weber.')).toBeVisible();
  await typeText('!');
  await expect.element(composer).toHaveValue('half a thought!');
  await expectAddress(adaeze);
});

test('[CONSOLE-33] a late frame about the closed chat does not end the focus of an undone close', async () => {
  const { gateway, chats } = await renderConsole({ path: jonas, chats: threeChats() });
  await expect.element(composer).toHaveFocus();
  stopTimers();
  await press('Control+e');
  await expect.element(queueRow('Adaeze')).toHaveFocus();
  await press('Control+z');
  await expectAddress(jonas);
  await expect.element(composer).toHaveFocus();
  const chat = chats.find(({ conversation }) => conversation.visitorName === 'Jonas Weber');
  if (!chat) throw new Error('no chat');
  const { conversation } = chat;
  const closed = { ...conversation, status: 'closed' as const, canSend: false, rev: conversation.rev - 1 };
  gateway.push({ type: 'conversation', conversation: closed });
  await typeText('Still ');
  gateway.push({ type: 'conversation', conversation });
  await typeText('here');
  await expect.element(composer).toHaveValue('Still here');
});

test('[CONSOLE-33] [CONSOLE-28] a failure is shown in the next chat, with the name of the other one', async () => {
  const { gateway } = await renderConsole({ path: adaeze, chats: threeChats() });
  await expect.element(composer).toHaveFocus();
  gateway.answer('markUnread', () => lost);
  const fail = gateway.hold('markUnread');
  await fromPalette('unread', 'Mark unread');
  await expect.poll(() => gateway.asked('markUnread')).toHaveLength(1);
  await press('Alt+ArrowDown');
  await expectAddress(addressOf('Léa Moreau'));
  stopTimers();
  fail();
  await expect.element(page.getByText(/^Adaeze Obi: Network error/)).toBeVisible();
  await expectAddress(addressOf('Léa Moreau'));
});

test('typing into the composer of a chat that a colleague closes triggers no command', async () => {
  const { gateway, chats } = await renderConsole({ path: adaeze, chats: threeChats() });
  await expect.element(composer).toHaveFocus();
  await typeText('Dear ');
  const chat = chats.find(({ conversation }) => conversation.visitorName === 'Adaeze Obi');
  if (!chat) throw new Error('no chat');
  Object.assign(chat.conversation, { status: 'closed', canSend: false, rev: 2 });
  gateway.push({ type: 'conversation', conversation: chat.conversation });
  gateway.push({ type: 'queueChange', rows: [], gone: [chat.conversation.id] });
  await expect.element(page.getByText('This conversation is closed')).toBeVisible();
  await expect.element(queueRow('Adaeze')).not.toBeInTheDocument();
  await typeText('jke?');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await press('Escape');
  await expectAddress(adaeze);
  // The closed conversation has left the queue, so the next one is the first.
  await press('Alt+ArrowDown');
  await expectAddress(jonas);
  await expect.element(composer).toHaveFocus();
});

test('typing into the sign-in form while the session turns out valid triggers no command', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const late = Promise.withResolvers<void>();
  const refreshStaff = async () => {
    await late.promise;
    return { staff: ana, idToken: 'id-token', expiresAt: Date.now() + 3_600_000 };
  };
  const { gateway } = await renderConsole({ chats: threeChats(), answers: { refreshStaff }, atOnce: true });
  await expect.poll(() => gateway.asked('refreshStaff')).toHaveLength(1);
  vi.advanceTimersByTime(3_000);
  const email = page.getByLabelText('Email address');
  await expect.element(email).toBeVisible();
  vi.useRealTimers();
  await focus(email);
  await typeText('a');
  late.resolve();
  await expect.element(queueRow('Jonas')).toBeVisible();
  await typeText('j');
  expect(document.activeElement).toBe(document.body);
  await press('Escape');
  await typeText('j');
  await expect.element(queueRow('Jonas')).toHaveFocus();
});

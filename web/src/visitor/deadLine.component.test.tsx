import { expect, test, vi } from 'vitest';
import { pass } from '../../test/passTime.ts';
import { renderVisitor } from '../../test/renderVisitor.tsx';

/** An open chat whose socket is dead, with a message that was sent over it. From here on time is fake. */
async function sendOnDeadSocket(text: string) {
  const { screen, gateway, chat } = await renderVisitor();
  await expect.element(screen.getByRole('banner').getByText('Online')).toBeVisible();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  gateway.stall();
  await screen.getByPlaceholder('Message...').fill(text);
  await screen.getByRole('button', { name: 'Send', exact: true }).click();
  await expect.element(screen.getByText('Sending...')).toBeVisible();
  return { screen, gateway, chat };
}

/** Lets time pass until this holds, and returns how long it took. */
async function timeUntil(holds: () => boolean): Promise<number> {
  const began = Date.now();
  while (!holds() && Date.now() - began < 60_000) await pass(250);
  return Date.now() - began;
}

test('[NET-08] a message sent on a dead socket that nobody reported arrives within 10 s, once', async () => {
  const { screen, gateway, chat } = await sendOnDeadSocket('anyone?');
  expect(await timeUntil(() => chat.messages.length > 0)).toBeLessThanOrEqual(10_000);
  await expect.element(screen.getByText('Sent', { exact: true })).toBeVisible();
  expect(chat.messages.map(({ text }) => text)).toEqual(['anyone?']);
  expect(gateway.openSockets()).toBe(1);
});

test('[NET-08] a page that wakes on a dead socket opens another one, and its message arrives within 5 s', async () => {
  const { screen, chat } = await sendOnDeadSocket('before sleep');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(await timeUntil(() => chat.messages.length > 0)).toBeLessThanOrEqual(5_000);
  await expect.element(screen.getByText('Sent', { exact: true })).toBeVisible();
  expect(chat.messages.map(({ text }) => text)).toEqual(['before sleep']);
});

test('[NET-24] a device that was removed while it was offline is told so when the network returns', async () => {
  const { screen, gateway, chat } = await renderVisitor({ messages: ['hello'] });
  await expect.element(screen.getByText('hello')).toBeVisible();
  gateway.drop();
  const conversationId = chat.conversation.id;
  gateway.onFrame.watch = () => [{ type: 'refused', code: 'not_found', conversationId }];
  gateway.restore();
  await expect.element(screen.getByText('This device no longer has access to this chat.')).toBeVisible();
  await expect.element(screen.getByText('hello')).not.toBeInTheDocument();
});

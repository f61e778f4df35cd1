import { afterEach, expect, test, vi } from 'vitest';
import { pass } from '../../test/passTime.ts';
import { renderVisitor } from '../../test/renderVisitor.tsx';

// Before the databases are emptied.
afterEach(() => void vi.restoreAllMocks());

test('if the browser’s database never answers, messages are sent within 3 s and survive a reload', async () => {
  vi.spyOn(indexedDB, 'open').mockImplementation(() => new EventTarget() as IDBOpenDBRequest);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const first = await renderVisitor();
  const write = async (text: string) => {
    await first.screen.getByPlaceholder('Message...').fill(text);
    await first.screen.getByRole('button', { name: 'Send', exact: true }).click();
  };
  const stored = () => first.chat.messages.map(({ text }) => text);
  await expect.element(first.screen.getByRole('banner').getByText('Online')).toBeVisible();
  await write('one');
  const began = Date.now();
  while (stored().length === 0 && Date.now() - began < 60_000) await pass(250);
  expect(Date.now() - began).toBeLessThanOrEqual(3_000);
  await expect.element(first.screen.getByText('Sent', { exact: true })).toBeVisible();
  vi.useRealTimers();

  first.gateway.drop();
  await write('two');
  await expect.element(first.screen.getByText('Sending...')).toBeVisible();
  // The composer accepts the next message when this one is stored.
  await expect.element(first.screen.getByRole('button', { name: 'Send', exact: true })).toBeVisible();
  expect(stored()).toEqual(['one']);
  await first.screen.unmount();

  const next = await renderVisitor({ messages: first.chat.messages });
  await expect.element(next.screen.getByText('two', { exact: true })).toBeVisible();
  await expect.poll(() => next.chat.messages.map(({ text }) => text)).toEqual(['one', 'two']);
  await expect.element(next.screen.getByText('Sent', { exact: true })).toBeVisible();
});

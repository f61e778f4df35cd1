import { expect, test, vi } from 'vitest';
import { memoryStorage } from '../../test/memoryStorage.ts';
import { newConversation } from '../chat/model/conversationState.ts';
import { storedDrafts } from '../chat/model/drafts.ts';
import { resumeSending, sendDraft } from './sendDraft.ts';

/** A page whose outbox stores when the test says so. */
function aPage() {
  const stored = Promise.withResolvers<void>();
  const send = vi.fn((_text: string, _id?: string) => stored.promise);
  return { send, stored: stored.resolve, state: () => newConversation('chat', 'visitor') };
}

test('[MSG-19] what a page was sending when it closed is sent by the next page, with the same id', async () => {
  const storage = memoryStorage();
  const drafts = storedDrafts(() => storage);
  const closed = aPage();
  drafts.write('chat', 'hello\nand more');
  void sendDraft(drafts, closed, 'hello');

  const next = aPage();
  resumeSending(drafts, next);
  expect(next.send.mock.calls).toEqual(closed.send.mock.calls);
  expect(drafts.read('chat')).toBe('and more');

  // This one closes too, before it has stored any of both.
  void sendDraft(drafts, next, 'and more');
  const last = aPage();
  resumeSending(drafts, last);
  expect(last.send.mock.calls).toEqual(next.send.mock.calls);
  last.stored();
  await expect.poll(() => storage.length).toBe(0);
  const later = aPage();
  resumeSending(drafts, later);
  expect(later.send).not.toHaveBeenCalled();
});

test('[MSG-19] text that could not be sent stays a draft only', async () => {
  const storage = memoryStorage();
  const drafts = storedDrafts(() => storage);
  drafts.write('chat', 'hello');
  const left = { ...aPage(), send: () => Promise.reject(new Error('the conversation was left')) };
  await expect(sendDraft(drafts, left, 'hello')).rejects.toThrow('left');
  const next = aPage();
  resumeSending(drafts, next);
  expect(next.send).not.toHaveBeenCalled();
  expect(drafts.read('chat')).toBe('hello');
});

import { expect, test } from 'vitest';
import { rememberMessage, takeMessageId } from './returnedMessage.ts';

function memoryDrafts() {
  const kept = new Map<string, string>();
  return {
    read: (id: string) => kept.get(id) ?? '',
    write: (id: string, text: string) => void kept.set(id, text),
  };
}

test('[CONSOLE-12] returned text keeps its message id when it is sent unchanged, and only once', () => {
  const drafts = memoryDrafts();
  rememberMessage(drafts, 'chat', 'id-1', 'See you there');
  expect(takeMessageId(drafts, 'other', 'See you there')).toBeUndefined();
  expect(takeMessageId(drafts, 'chat', ' See you there\n')).toBe('id-1');
  expect(takeMessageId(drafts, 'chat', 'See you there')).toBeUndefined();
  rememberMessage(drafts, 'chat', 'id-2', 'See you there');
  expect(takeMessageId(drafts, 'chat', 'See you there, then')).toBeUndefined();
});

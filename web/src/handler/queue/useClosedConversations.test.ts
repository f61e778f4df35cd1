import { expect, test } from 'vitest';
import { mayHaveClosed } from './useClosedConversations.ts';

const known = (ids: string, deskReads = 1) => ({ ids: ids.split(''), deskReads });

test('the closed list reloads when a conversation left the queue, also when another arrived with it', () => {
  expect(mayHaveClosed(known('ab'), known('a'))).toBe(true);
  expect(mayHaveClosed(known('ab'), known('cb'))).toBe(true);
  expect(mayHaveClosed(known('ab'), known('cba'))).toBe(false);
});

test('the closed list reloads after a lost connection, but not for the first load of the queue', () => {
  expect(mayHaveClosed(known('ab'), known('ab', 2))).toBe(true);
  expect(mayHaveClosed(known('', 0), known('ab', 1))).toBe(false);
});

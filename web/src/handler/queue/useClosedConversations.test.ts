import { expect, test } from 'vitest';
import { mayHaveClosed } from './useClosedConversations.ts';

const known = (ids: string, deskReads = 1) => ({ ids: ids.split(''), deskReads });

test('[OPEN-87] the closed ones are read again when one left the queue, also when another came with it', () => {
  expect(mayHaveClosed(known('ab'), known('a'))).toBe(true);
  expect(mayHaveClosed(known('ab'), known('cb'))).toBe(true);
  expect(mayHaveClosed(known('ab'), known('cba'))).toBe(false);
});

test('[OPEN-87] they are read again after the line was down, whatever the queue says, but not for its first reading', () => {
  expect(mayHaveClosed(known('ab'), known('ab', 2))).toBe(true);
  expect(mayHaveClosed(known('', 0), known('ab', 1))).toBe(false);
});

import { expect, test } from 'vitest';
import { decodeHint } from '../src/live/hint.ts';

test.each([
  ['M7 1 3 1700000000000', 1_700_000_000_000],
  ['M7 1 3', 0],
  ['M7 1 3 soon', 0],
  ['M7 1 3 Infinity', 0],
])('a hint that begins with %s was stored at %d: an unreadable time is ignored', (begin, createdAt) => {
  expect(decodeHint(Buffer.from(`${begin}\n{}`))).toEqual({
    kind: 'message',
    seq: 7,
    unread: 1,
    rev: 3,
    createdAt,
    frame: Buffer.from('{}'),
  });
});

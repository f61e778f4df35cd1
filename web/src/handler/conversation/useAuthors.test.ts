import { expect, test } from 'vitest';
import { rangeToAsk } from './useAuthors.ts';

const log = (senders: string) =>
  Array.from(senders, (letter, i) => ({
    seq: i + 1,
    sender: letter === 'o' ? ('owner' as const) : ('visitor' as const),
  }));

test('[PRIVACY-15] authors are requested once, and only for the desk’s messages', () => {
  expect(rangeToAsk(log('vovo'), new Map())).toEqual({ from: 2, to: 4 });
  expect(rangeToAsk(log('vv'), new Map())).toBeUndefined();
  expect(rangeToAsk(log('vovo'), new Map([[2, null]]))).toEqual({ from: 4, to: 4 });
  expect(
    rangeToAsk(
      log('oo'),
      new Map([
        [1, null],
        [2, null],
      ]),
    ),
  ).toBeUndefined();
  expect(rangeToAsk(log('o'.repeat(400)), new Map())).toEqual({ from: 101, to: 400 });
});

import { CONVERSATION_COUNT_MAX } from '@settee/protocol/calls/conversationAdminCalls';
import { expect, test } from 'vitest';
import { rangeWords } from '../parts/moreOf.ts';
import { countWords, filtersIn, queryOf, searchOf } from './filters.ts';

test('[ADMIN-02] a chip says how many there are, and that it stopped counting', () => {
  const counts = { open: 12, waiting: 3, closed: 58, blocked: 1 };
  expect(countWords('', counts)).toBe('71');
  expect(countWords('waiting', counts)).toBe('3');
  expect(countWords('closed', { ...counts, closed: CONVERSATION_COUNT_MAX })).toBe('999+');
  expect(countWords('', { ...counts, closed: CONVERSATION_COUNT_MAX })).toBe('999+');
  expect(countWords('open', undefined)).toBeUndefined();
});

test('[ADMIN-01] the foot says which rows are shown, as far as anybody counted', () => {
  expect(rangeWords(50, 1_320)).toBe('1 to 50 of 1,320');
  expect(rangeWords(50, '999+')).toBe('1 to 50 of 999+');
  expect(rangeWords(50, undefined)).toBe('1 to 50');
});

test('[ADMIN-06] the address keeps what is searched and where; the list itself is asked for names only', () => {
  const filters = filtersIn(new URLSearchParams('q=lyon&in=messages&show=nonsense&message=4'));
  expect(filters).toEqual({ show: '', alias: '', q: 'lyon', in: 'messages' });
  expect(searchOf(filters)).toEqual({ q: 'lyon', in: 'messages' });
  expect(queryOf(filters)).toEqual({ q: 'lyon' });
  expect(queryOf({ ...filters, q: ' l ' })).toEqual({});
});

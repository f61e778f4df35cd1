import { expect, test } from 'vitest';
import { type Absence, absenceAfter } from './absence.ts';

function after(...news: { gone: boolean; queued: boolean }[]): Absence {
  return news.reduce<Absence>(absenceAfter, 'here');
}

const here = { gone: false, queued: true };
const told = { gone: true, queued: true };
const left = { gone: true, queued: false };

test('[OPEN-95] a conversation that was handed away and is in the queue again is back', () => {
  expect(after(here, left, told)).toBe('back');
  expect(after(here, told, left, told, told)).toBe('back');
  // A closed one is in no queue, and with us.
  expect(after({ gone: false, queued: false })).toBe('here');
});

test('[OPEN-95] a queue that has not heard of it yet brings nothing back', () => {
  expect(after(here, told, told)).toBe('reported');
  expect(after(here, left)).toBe('left');
});

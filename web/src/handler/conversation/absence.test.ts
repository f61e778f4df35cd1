import { expect, test } from 'vitest';
import { type Absence, absenceAfter } from './absence.ts';

function after(...news: { gone: boolean; queued: boolean }[]): Absence {
  return news.reduce<Absence>(absenceAfter, 'here');
}

const here = { gone: false, queued: true };
const reported = { gone: true, queued: true };
const left = { gone: true, queued: false };

test('[CONSOLE-28] a conversation that was handed over and is in the queue again is back', () => {
  expect(after(here, left, reported)).toBe('back');
  expect(after(here, reported, left, reported, reported)).toBe('back');
  // A closed conversation is in no queue, but still at our desk.
  expect(after({ gone: false, queued: false })).toBe('here');
});

test('[CONSOLE-28] a queue that has not received the change yet brings nothing back', () => {
  expect(after(here, reported, reported)).toBe('reported');
  expect(after(here, left)).toBe('left');
});

import { visitorMailTexts } from '@settee/protocol/texts/visitorMailTexts';
import { expect, test } from 'vitest';
import { afterMailEvent, firstMailState, mailStep } from './mailSteps.ts';

type Event = Parameters<typeof afterMailEvent>[1];

const after = (...events: Event[]) => events.reduce(afterMailEvent, firstMailState);
const none = { address: null, pending: null, refused: false };
const sent = { ...none, pending: 'a…@example.com' };
const read = (mail: typeof none | typeof sent): Event => ({ type: 'read', mail, changes: 0 });

test('an older answer does not undo a change, and a failure keeps the step', () => {
  const begun = after(read(sent), { type: 'began', work: 'form' });
  expect(afterMailEvent(begun, read(none))).toBe(begun);
  const failed = afterMailEvent(begun, { type: 'failed', text: 'Wrong code' });
  expect([mailStep(failed), failed.problem, failed.busy]).toEqual(['code', 'Wrong code', null]);
  expect(afterMailEvent(failed, { type: 'edited' }).problem).toBeNull();
});

test('a code that expired is reported, an address that was never entered is not', () => {
  expect(after(read(sent), read(none)).problem).toBe(visitorMailTexts.codeExpired);
  expect(after(read(none)).problem).toBeNull();
});

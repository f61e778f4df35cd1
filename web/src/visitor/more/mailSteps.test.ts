import { visitorMailTexts } from '@settee/protocol/texts/visitorMailTexts';
import { expect, test } from 'vitest';
import { afterMailEvent, firstMailState, mailStep } from './mailSteps.ts';

type Event = Parameters<typeof afterMailEvent>[1];

const after = (...events: Event[]) => events.reduce(afterMailEvent, firstMailState);
const none = { address: null, pending: null, refused: false };
const sent = { ...none, pending: 'a…@example.com' };
const on = { ...none, address: 'a…@example.com' };
const read = (mail: typeof none | typeof sent | typeof on, changes = 0): Event => ({
  type: 'read',
  mail,
  changes,
});
const sending: Event = { type: 'began', work: 'form' };

test('the dialog asks for the address, then for the code, then offers to change it', () => {
  expect(mailStep(firstMailState)).toBe('address');
  const waits = after(read(none), sending, { type: 'done', mail: sent, entered: 'anna@example.com' });
  expect(mailStep(waits)).toBe('code');
  expect(waits).toMatchObject({ busy: null, entered: 'anna@example.com', newCodes: 0, sentAgain: false });
  const confirmed = [sending, { type: 'done', mail: on } satisfies Event].reduce(afterMailEvent, waits);
  expect(mailStep(confirmed)).toBe('on');
  expect(mailStep(afterMailEvent(confirmed, { type: 'otherAddress' }))).toBe('address');
});

test('a code that was sent again begins with an empty field', () => {
  const again = after(read(sent), { type: 'began', work: 'again' }, { type: 'done', mail: sent });
  expect(again).toMatchObject({ newCodes: 1, sentAgain: true });
  expect(afterMailEvent(again, sending)).toMatchObject({ newCodes: 1, sentAgain: false });
});

test('an older answer does not undo a change, and a failure keeps the step', () => {
  const begun = after(read(sent), sending);
  expect(afterMailEvent(begun, read(none))).toBe(begun);
  const failed = afterMailEvent(begun, { type: 'failed', text: 'Wrong code' });
  expect([mailStep(failed), failed.problem, failed.busy]).toEqual(['code', 'Wrong code', null]);
  expect(afterMailEvent(failed, { type: 'edited' }).problem).toBeNull();
});

test('a code that expired is reported, an address that was never entered is not', () => {
  expect(after(read(sent), read(none)).problem).toBe(visitorMailTexts.codeExpired);
  expect(after(read(none)).problem).toBeNull();
});

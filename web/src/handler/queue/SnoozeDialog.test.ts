import { expect, test } from 'vitest';
import { snoozeChoices } from './SnoozeDialog.tsx';

const untils = (now: Date) => snoozeChoices(now.getTime()).map(({ until }) => new Date(until));

test('a chat can be snoozed for hours, until tomorrow morning and until Monday morning', () => {
  const wednesday = new Date(2026, 10, 18, 14, 30);
  expect(untils(wednesday)).toEqual([
    new Date(2026, 10, 18, 15, 30),
    new Date(2026, 10, 18, 18, 30),
    new Date(2026, 10, 19, 9, 0),
    new Date(2026, 10, 23, 9, 0),
  ]);
});

test('if tomorrow is Monday it is offered once, and on a Monday the next one', () => {
  expect(untils(new Date(2026, 10, 22, 12, 0))).toHaveLength(3);
  expect(untils(new Date(2026, 10, 23, 12, 0))).toHaveLength(3);
});

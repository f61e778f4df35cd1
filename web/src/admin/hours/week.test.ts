import { hoursTexts } from '@settee/protocol/texts/hoursTexts';
import { expect, test } from 'vitest';
import { draftOf, firstDraft, weekOf, weekText } from './week.ts';

const nine = { from: 540, to: 1_020 };
const week = [[nine], [nine], [nine], [nine], [nine], [], []];

test('a week of time fields is stored in minutes, in order, and shown as it was typed', () => {
  expect(weekOf(firstDraft())).toEqual({ week });
  expect(draftOf({ timeZone: 'UTC', week })).toEqual(firstDraft());
  const split = [
    [
      { from: '13', to: '00:00' },
      { from: '8.30', to: '1200' },
    ],
    [],
    [],
    [],
    [],
    [],
    [],
  ];
  expect(weekOf(split)).toEqual({
    week: [
      [
        { from: 510, to: 720 },
        { from: 780, to: 1_440 },
      ],
      [],
      [],
      [],
      [],
      [],
      [],
    ],
  });
});

test('hours that overlap, end before they start or are incomplete are reported', () => {
  for (const spans of [
    [{ from: '09:00', to: '09:00' }],
    [{ from: '12:00', to: '09:00' }],
    [
      { from: '09:00', to: '12:00' },
      { from: '11:00', to: '13:00' },
    ],
    [{ from: '', to: '12:00' }],
    [{ from: '9:75', to: '12:00' }],
    [{ from: '09:00', to: '25:00' }],
    [{ from: 'nine', to: '12:00' }],
  ]) {
    expect(weekOf([spans, [], [], [], [], [], []])).toEqual({ problem: hoursTexts.order });
  }
});

test('equal days are summed up', () => {
  expect(weekText(week)).toBe('Mon–Fri 09:00–17:00');
  expect(weekText([[nine], [], [nine], [nine, { from: 1_080, to: 1_440 }], [], [], []])).toBe(
    'Mon 09:00–17:00, Wed 09:00–17:00, Thu 09:00–17:00 18:00–24:00',
  );
  expect(weekText([[], [], [], [], [], [], []])).toBe(hoursTexts.closedAllWeek);
});

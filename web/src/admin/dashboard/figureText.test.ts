import { defaultSettings } from '@settee/protocol/model/staffSettings';
import { expect, test } from 'vitest';
import { countChange, replyChange } from './figureText.ts';
import { toneOf } from './tone.ts';

test('a change shows in per cent up to 300 %, and as a factor above', () => {
  expect(countChange(108, 100, '7days')).toMatchObject({ arrow: '↑', percent: '8%' });
  expect(countChange(50, 100, '7days')).toMatchObject({ arrow: '↓', percent: '50%' });
  expect(countChange(400, 100, '7days')).toMatchObject({ percent: '300%' });
  expect(countChange(11_275, 100, '7days')).toMatchObject({
    arrow: '↑',
    percent: '×113',
    spoken: 'Up 113 times',
  });
  expect(replyChange({ medianMs: 900_000, beforeMs: 60_000 }, '7days')).toMatchObject({
    percent: '×15',
    good: false,
  });
});

test('waits are amber and red from the set thresholds, and solid red over an hour', () => {
  const minutes = (count: number) => toneOf(0, count * 60_000, defaultSettings);
  expect([4, 5, 14, 15, 60, 61].map(minutes)).toEqual(['quiet', 'lamp', 'lamp', 'danger', 'danger', 'alarm']);
  expect(toneOf(0, 5_000_000, { waitingMinutes: 60, waitingLongMinutes: 120 })).toBe('lamp');
});

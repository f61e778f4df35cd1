import { execFileSync } from 'node:child_process';
import { defaultSettings } from '@settee/protocol/model/staffSettings';
import { expect, test } from 'vitest';
import { countChange, replyChange, toneOf } from './figureText.ts';

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

/** In a separate process, because a process reads its time zone at the start. */
function rowsIn(zone: string, from: string): { key: number; long: string }[] {
  const program = `
    const { seriesOf } = await import(${JSON.stringify(`${import.meta.dirname}/series.ts`)});
    const start = Date.parse(${JSON.stringify(from)});
    const slots = Array.from({ length: 5 }, (_, hour) => ({ start: start + hour * 3_600_000, visitors: 0, replies: 0 }));
    console.log(JSON.stringify(seriesOf('messages', { period: 'today', slots, now: start }).rows));`;
  const args = ['--input-type=module', '--eval', program];
  return JSON.parse(
    execFileSync(process.execPath, args, { encoding: 'utf8', env: { ...process.env, TZ: zone } }),
  );
}

test('the hour that occurs twice when clocks go back is two rows, with the zone’s name', () => {
  const rows = rowsIn('Europe/Berlin', '2026-10-24T23:00:00Z');
  expect(rows.map(({ long }) => long)).toEqual(['01:00', '02:00 CEST', '02:00 CET', '03:00', '04:00']);
  expect(new Set(rows.map(({ key }) => key)).size).toBe(5);
  expect(rowsIn('Europe/Berlin', '2026-11-14T23:00:00Z').map(({ long }) => long)).toEqual([
    '00:00',
    '01:00',
    '02:00',
    '03:00',
    '04:00',
  ]);
});

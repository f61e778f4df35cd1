import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

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

/** Space beside the bars, in CSS pixels. */
export const MARGIN = { left: 32, right: 4 };

const COUNT_STEPS = [1, 2, 5, 10];
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const TIME_STEPS = [1, 2, 5, 10, 15, 30]
  .flatMap((n) => [n * SECOND, n * MINUTE])
  .concat([1, 2, 3, 6, 12, 24, 48, 96, 240, 480].map((n) => n * HOUR))
  .toSorted((a, b) => a - b);

/** Three or four round grid lines, from zero to at least the highest bar. */
export function linesFor(highest: number, unit: 'count' | 'ms'): number[] {
  const wanted = Math.max(highest, unit === 'ms' ? SECOND : 3) / 3;
  const step = unit === 'ms' ? (TIME_STEPS.find((each) => each >= wanted) ?? wanted) : roundStep(wanted);
  const count = Math.max(1, Math.ceil(highest / step));
  return Array.from({ length: count + 1 }, (_, n) => n * step);
}

function roundStep(wanted: number): number {
  const power = 10 ** Math.floor(Math.log10(wanted));
  return Math.max(1, (COUNT_STEPS.find((step) => step * power >= wanted) ?? 10) * power);
}

/** 10s, 5m, 2h: grid lines are round, so one unit is enough. */
export function timeLine(ms: number): string {
  if (ms === 0) return '0';
  if (ms % HOUR === 0) return `${ms / HOUR}h`;
  if (ms % MINUTE === 0) return `${ms / MINUTE}m`;
  return `${ms / SECOND}s`;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The local time at a moment, as milliseconds as if it were UTC. */
export type WallClock = (at: number) => number;

export function wallClock(zone: string): WallClock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (at) => {
    const parts = Object.fromEntries(
      format.formatToParts(at).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) + (((at % 1_000) + 1_000) % 1_000);
  };
}

/** Midnight of the local date. */
export function dateOf(wall: number): number {
  return Math.floor(wall / DAY_MS) * DAY_MS;
}

/**
 * The first moment at which the clock shows this time or later. If the clock skips the time, the moment of the change.
 */
export function momentOf(clock: WallClock, wall: number): number {
  const offsets = [wall - DAY_MS, wall + DAY_MS].map((at) => clock(at) - at);
  const moments = offsets.map((offset) => wall - offset).toSorted((a, b) => a - b);
  let first = moments.find((at) => clock(at) >= wall && clock(at) < wall + DAY_MS) ?? wall;
  while (clock(first) > wall && clock(first - MINUTE_MS) >= wall) first -= MINUTE_MS;
  return first;
}

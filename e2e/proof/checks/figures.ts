import { isDeepStrictEqual } from 'node:util';
import type { WatchEvent } from '../history.ts';
import { type Checked, only } from './checked.ts';

export function checkFigures(events: readonly WatchEvent[]): Checked {
  const figures = only(events, 'figures');
  const found = figures.flatMap(({ by, period, figures: shown }) => {
    if (by === 'tables') return [];
    const tables = figures.find((other) => other.by === 'tables' && other.period === period);
    return differences(shown, tables?.figures ?? {}).map((what) => `${period}: ${what}`);
  });
  return { found, observed: figures.length === 0 ? '' : `${figures.length / 2} periods` };
}

function differences(shown: object, expected: object): string[] {
  const named = new Map(Object.entries(expected));
  return Object.entries(shown).flatMap(([name, value]) =>
    isDeepStrictEqual(value, named.get(name))
      ? []
      : [`${name} is ${JSON.stringify(value)}, the tables have ${JSON.stringify(named.get(name))}`],
  );
}

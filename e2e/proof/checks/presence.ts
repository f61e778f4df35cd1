import type { WatchEvent } from '../history.ts';
import { type Checked, only } from './checked.ts';

const WRONG_MAX_MS = 60_000;

/** Follows what every visitor was told, and for how long it was wrong. */
export function checkPresence(events: readonly WatchEvent[]): Checked {
  const found: string[] = [];
  const told = new Map<string, boolean | null>();
  const wrongSince = new Map<string, number>();
  let there: boolean | null = null;
  let changes = 0;
  let worst = 0;

  const judge = (visitor: string, at: number): void => {
    const said = told.get(visitor) ?? null;
    const isWrong = said !== null && there !== null && said !== there;
    const since = wrongSince.get(visitor);
    if (isWrong && since === undefined) wrongSince.set(visitor, at);
    if (isWrong || since === undefined) return;
    wrongSince.delete(visitor);
    end(visitor, since, at);
  };
  const end = (visitor: string, since: number, at: number): void => {
    worst = Math.max(worst, at - since);
    if (at - since > WRONG_MAX_MS)
      found.push(
        `${visitor} got a wrong presence for ${at - since} ms, from ${new Date(since).toISOString()}`,
      );
  };

  for (const event of events) {
    if (event.type === 'handlers') {
      there = event.there;
      changes += 1;
      for (const visitor of told.keys()) judge(visitor, event.at);
    } else if (event.type === 'told') {
      told.set(event.visitor, event.online);
      judge(event.visitor, event.at);
    }
  }
  const [last] = only(events, 'watched');
  for (const [visitor, since] of wrongSince) end(visitor, since, last?.at ?? since);
  const observed = `${told.size} visitors, ${changes} changes, wrong for at most ${worst} ms`;
  return { found, observed: told.size === 0 || changes === 0 ? '' : observed };
}

import type { WatchEvent } from '../history.ts';
import { type Checked, only } from './checked.ts';

const WITHIN_MS = 5_000;

/** The time counts while the gateway can read the database: before, it cannot know about the change. */
export function checkRevocation(events: readonly WatchEvent[]): Checked {
  const revoked = only(events, 'revoked');
  const took = revoked.map(({ tookMs, blindMs }) => (tookMs === null ? null : Math.max(0, tookMs - blindMs)));
  const found = revoked.flatMap(({ what, at }, index) => {
    const ms = took[index] ?? null;
    return ms !== null && ms <= WITHIN_MS
      ? []
      : [`${what} at ${new Date(at).toISOString()}: ${ms === null ? 'the socket stayed' : `${ms} ms`}`];
  });
  const worst = Math.max(...took.map((ms) => ms ?? Number.POSITIVE_INFINITY));
  return { found, observed: revoked.length === 0 ? '' : `${revoked.length} sockets, at most ${worst} ms` };
}

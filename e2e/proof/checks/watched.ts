import type { WatchEvent } from '../history.ts';
import { checkAudit } from './audit.ts';
import type { Checked, FaultTime } from './checked.ts';
import { checkFigures } from './figures.ts';
import { checkMedia } from './media.ts';
import { checkPresence } from './presence.ts';
import { checkPushes } from './pushes.ts';
import { checkRevocation } from './revocation.ts';
import type { WatchedProperty } from './watchedProperties.ts';

/** A finding, but no proof that something is wrong. */
export const NOTHING_OBSERVED = 'nothing was observed';

const checks: Record<
  WatchedProperty,
  (events: readonly WatchEvent[], faults: readonly FaultTime[]) => Checked
> = {
  revocation: checkRevocation,
  presence: checkPresence,
  audit: checkAudit,
  pushes: checkPushes,
  media: checkMedia,
  figures: checkFigures,
};

/** Judges the properties that the watchers were to observe. */
export function checkWatched(
  events: readonly WatchEvent[],
  faults: readonly FaultTime[],
): [WatchedProperty, Checked][] {
  const wanted = events.flatMap((event) => (event.type === 'watching' ? event.properties : []));
  return wanted.map((property) => {
    const { found, observed } = checks[property](events, faults);
    return [
      property,
      observed === '' ? { found: [...found, NOTHING_OBSERVED], observed } : { found, observed },
    ];
  });
}

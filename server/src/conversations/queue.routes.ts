import { MAIN } from '@settee/protocol/model/profile';
import type { App } from '../platform/app.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import { pageEnds, parseCursor } from '../platform/http/cursor.ts';
import { idParam, type Routes } from '../platform/http/route.ts';
import { desksOf, reachOf } from '../platform/ports/caller.ts';
import { readDeskNames, readDesks, readOtherProfiles } from '../staff/desks.store.ts';
import { readClosed, readDeleted } from './closed.store.ts';
import { readQueuePart } from './queue.store.ts';
import { markUnread, snooze } from './queueRow.ts';

/** The queue of the caller's desks. */
export function queueRoutes(app: App) {
  return {
    readQueue: ({ caller, query: { limit } }) =>
      readQueuePart(app.db, desksOf(caller), { limit, now: app.clock.now() }),
    async readClosed({ caller, query }) {
      const { alias, profile } = query;
      const own = desksOf(caller);
      const { profiles = {} } = profile === undefined ? {} : await readOtherProfiles(app.db, own);
      const reach = own
        .filter((desk) => alias === undefined || desk === alias)
        .filter((desk) => profile === undefined || (profiles[desk] ?? MAIN) === profile);
      if ((alias ?? profile) !== undefined && reach.length === 0) throw new Refusal('not_found');
      const after = parseCursor(query.before);
      const page = await readClosed(app.db, reach, after);
      const deleted = await readDeleted(app.db, { reach, ...pageEnds(after, page.next) });
      return { ...page, deleted };
    },
    async readDesks({ caller }) {
      const reach = reachOf(caller);
      return {
        desks: await readDesks(app.db, reach),
        names: await readDeskNames(app.db, reach),
        ...(await readOtherProfiles(app.db, reach)),
      };
    },
    markUnread: ({ caller, params, body }) => markUnread(app, caller, idParam(params.id), body.unread),
    snooze: ({ caller, params, body }) => snooze(app, caller, idParam(params.id), body.until),
  } satisfies Partial<Routes>;
}

import type { App } from '../platform/app.ts';
import { pageEnds, parseCursor } from '../platform/http/cursor.ts';
import { idParam, type Routes } from '../platform/http/route.ts';
import { readDeskNames, readDesks } from '../staff/desks.store.ts';
import { readClosed, readDeleted } from './closed.store.ts';
import { readQueue, readQueuePart } from './queue.store.ts';
import { markUnread, snooze } from './queueRow.ts';

/** The queue of a desk. */
export function queueRoutes(app: App) {
  return {
    async readQueue({ caller: { alias }, query: { limit } }) {
      if (alias === null) return { rows: [] };
      if (limit === undefined) return { rows: await readQueue(app.db, alias) };
      return readQueuePart(app.db, alias, { limit, now: app.clock.now() });
    },
    async readClosed({ caller: { alias }, query }) {
      if (alias === null) return { rows: [], deleted: [], next: null };
      const after = parseCursor(query.before);
      const page = await readClosed(app.db, alias, after);
      const deleted = await readDeleted(app.db, { alias, ...pageEnds(after, page.next) });
      return { ...page, deleted };
    },
    readDesks: async () => ({ desks: await readDesks(app.db), names: await readDeskNames(app.db) }),
    markUnread: ({ caller, params, body }) => markUnread(app, caller, idParam(params.id), body.unread),
    snooze: ({ caller, params, body }) => snooze(app, caller, idParam(params.id), body.until),
  } satisfies Partial<Routes>;
}

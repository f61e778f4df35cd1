import { markUnread, snooze } from '../actions/conversation/queueRow.ts';
import { deleteReply, noSuchReply, savedReplyView, saveReply } from '../actions/replies/savedReplies.ts';
import { searchDesk, searchMessages } from '../actions/search/search.ts';
import { SearchQueue } from '../actions/search/searchQueue.ts';
import { setAvailability } from '../actions/staff/ownAccount.ts';
import type { App } from '../app.ts';
import { Refusal } from '../auth/refusal.ts';
import { readClosed, readDeleted } from '../db/conversation/closed.ts';
import { readQueue, readQueuePart } from '../db/conversation/queue.ts';
import { findPushToken } from '../db/push/pushSubscriptions.ts';
import { readReplies } from '../db/replies/savedReplies.ts';
import { readDeskNames, readDesks } from '../db/staff/desks.ts';
import { isOnline } from '../db/staff/presence.ts';
import { pageEnds, parseCursor } from './cursor.ts';
import { idParam, type Routes } from './route.ts';

/** For a search that a newer one of the same session replaced. The console ignores this answer. */
const REPLACED_SEARCH = { conversations: [], messages: [], complete: false };

/** The console: queue, search, saved replies, availability. */
export function staffRoutes(app: App) {
  const searches = new SearchQueue();
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
    async readHandler({ caller }) {
      const { alias } = caller;
      if (alias === null) throw new Refusal('not_found');
      const [fcmToken, online] = await Promise.all([
        findPushToken(app.db, { ...caller, alias }),
        isOnline(app.db, alias),
      ]);
      return { handler: { alias, fcmToken, online } };
    },
    readDesks: async () => ({ desks: await readDesks(app.db), names: await readDeskNames(app.db) }),
    async setAvailability({ caller, body: { away } }) {
      await setAvailability(app, caller, away);
      return { away };
    },
    markUnread: ({ caller, params, body }) => markUnread(app, caller, idParam(params.id), body.unread),
    snooze: ({ caller, params, body }) => snooze(app, caller, idParam(params.id), body.until),
    async search({ caller, query }) {
      const found = await searches.run(caller.sessionId, (turn) => searchDesk(app, caller, query.q, turn));
      return found ?? REPLACED_SEARCH;
    },
    async searchMessages({ caller, query }) {
      const found = await searches.run(caller.sessionId, (turn) =>
        searchMessages(app, caller, query.q, turn),
      );
      return found ?? { messages: [], complete: false };
    },
    async readReplies({ caller }) {
      const rows = await readReplies(app.db, caller.staffId);
      return { replies: rows.map((row) => savedReplyView(caller, row)) };
    },
    saveReply: async ({ caller, params, body }) => ({
      reply: await saveReply(app, caller, { id: idParam(params.id, noSuchReply), ...body }),
    }),
    deleteReply: ({ caller, params }) => deleteReply(app, caller, idParam(params.id, noSuchReply)),
  } satisfies Partial<Routes>;
}

import { markUnread, snooze } from '../actions/conversation/queueRow.ts';
import type { App } from '../app.ts';
import { readClosed, readDeleted } from '../db/conversation/closed.ts';
import { conversationIdOf } from './conversations.ts';
import { pageEnds, rowOfCursor } from './cursor.ts';
import type { Routes } from './route.ts';

export function closedRoutes(app: App): Pick<Routes, 'readClosed' | 'markUnread' | 'snooze'> {
  return {
    async readClosed({ caller: { alias }, query }) {
      if (alias === null) return { success: true, rows: [], deleted: [], next: null };
      const after = rowOfCursor(query.before);
      const page = await readClosed(app.db, alias, after);
      const deleted = await readDeleted(app.db, { alias, ...pageEnds(after, page.next) });
      return { success: true, ...page, deleted };
    },
    async markUnread({ caller, params, body }) {
      await markUnread(app, caller, conversationIdOf(params), body.unread);
      return { success: true };
    },
    async snooze({ caller, params, body }) {
      await snooze(app, caller, conversationIdOf(params), body.until);
      return { success: true };
    },
  };
}

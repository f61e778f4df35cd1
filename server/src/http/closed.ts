import { markUnread } from '../actions/markUnread.ts';
import { snooze } from '../actions/snooze.ts';
import type { App } from '../app.ts';
import { readClosed } from '../db/closed.ts';
import { conversationIdOf } from './conversations.ts';
import { rowOfCursor } from './cursor.ts';
import type { Routes } from './route.ts';

export function closedRoutes(app: App): Pick<Routes, 'readClosed' | 'markUnread' | 'snooze'> {
  return {
    async readClosed({ caller: { alias }, query }) {
      const page =
        alias === null
          ? { rows: [], next: null }
          : await readClosed(app.db, alias, rowOfCursor(query.before));
      return { success: true, ...page };
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

import { Uuid } from '@settee/protocol/ids';
import * as v from 'valibot';
import { markUnread } from '../actions/markUnread.ts';
import type { App } from '../app.ts';
import { type After, readClosed } from '../db/closed.ts';
import { Refused } from '../refused.ts';
import { conversationIdOf } from './conversations.ts';
import type { Routes } from './route.ts';

export function closedRoutes(app: App): Pick<Routes, 'readClosed' | 'markUnread'> {
  return {
    async readClosed({ caller: { alias }, query }) {
      const page =
        alias === null ? { rows: [], next: null } : await readClosed(app.db, alias, fromCursor(query.before));
      return { success: true, ...page };
    },
    async markUnread({ caller, params, body }) {
      await markUnread(app, caller, conversationIdOf(params), body.unread);
      return { success: true };
    },
  };
}

/** Undefined for the first page. */
function fromCursor(cursor: string | undefined): After | undefined {
  if (cursor === undefined) return undefined;
  const at = cursor.indexOf('_');
  const closedAt = new Date(Number(cursor.slice(0, at)));
  const id = cursor.slice(at + 1);
  if (Number.isNaN(closedAt.getTime()) || !v.is(Uuid, id)) throw new Refused('bad_request');
  return { closedAt, id };
}

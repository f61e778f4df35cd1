import type { conversationAdminCalls } from '@settee/protocol/calls/conversationAdminCalls';
import { exportConversation } from '../actions/conversation/exportConversation.ts';
import { reassignMany } from '../actions/conversation/handOver.ts';
import { closeMany } from '../actions/conversation/status.ts';
import type { App } from '../app.ts';
import { Refusal } from '../auth/refusal.ts';
import { readDeleted } from '../db/conversation/closed.ts';
import { countConversations, listConversations } from '../db/conversation/conversationAdmin.ts';
import { conversationIdOf } from './conversations.ts';
import { pageEnds, rowOfCursor } from './cursor.ts';
import type { Routes } from './route.ts';

export function conversationAdminRoutes(
  app: App,
): Omit<Pick<Routes, keyof typeof conversationAdminCalls>, 'searchMessages'> {
  return {
    async listConversations({ query: { before, ...wanted } }) {
      const after = rowOfCursor(before);
      const { alias, show, q } = wanted;
      const [page, counts] = await Promise.all([
        listConversations(app.db, { ...wanted, after }),
        before === undefined && q === undefined ? countConversations(app.db, alias) : undefined,
      ]);
      if (page === undefined) throw new Refusal('unavailable');
      // They have neither a status nor a name.
      const all = show === undefined && q === undefined;
      const deleted = all
        ? await readDeleted(app.db, { alias: alias ?? null, ...pageEnds(after, page.next) })
        : [];
      return { success: true, ...page, deleted, ...(counts && { counts }) };
    },
    async reassignMany({ caller, body }) {
      return { success: true, ...(await reassignMany(app, caller, body)) };
    },
    async closeMany({ caller, body }) {
      return { success: true, ...(await closeMany(app, caller, body.ids)) };
    },
    async exportConversation({ caller, params, query }) {
      const page = await exportConversation(app, caller, conversationIdOf(params), query.after);
      return { success: true, ...page };
    },
  };
}

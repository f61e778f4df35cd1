import type { conversationAdminCalls } from '@settee/protocol/conversationAdminCalls';
import { closeMany } from '../actions/closeMany.ts';
import { exportConversation } from '../actions/exportConversation.ts';
import { reassignMany } from '../actions/reassignMany.ts';
import type { App } from '../app.ts';
import { listConversations } from '../db/conversationAdmin.ts';
import { readDeleted } from '../db/deleted.ts';
import { Refused } from '../refused.ts';
import { conversationIdOf } from './conversations.ts';
import { pageEnds, rowOfCursor } from './cursor.ts';
import type { Routes } from './route.ts';

export function conversationAdminRoutes(app: App): Pick<Routes, keyof typeof conversationAdminCalls> {
  return {
    async listConversations({ query: { before, ...wanted } }) {
      const after = rowOfCursor(before);
      const page = await listConversations(app.db, { ...wanted, after });
      if (page === undefined) throw new Refused('unavailable');
      const { alias = null, show, q } = wanted;
      // They have neither a status nor a name.
      const all = show === undefined && q === undefined;
      const deleted = all ? await readDeleted(app.db, { alias, ...pageEnds(after, page.next) }) : [];
      return { success: true, ...page, deleted };
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

import type { eraseCalls } from '@settee/protocol/calls/eraseCalls';
import type { rightsCalls } from '@settee/protocol/calls/rightsCalls';
import type { VisitorConversation } from '@settee/protocol/model/conversation';
import { eraseConversation, eraseOwn } from '../actions/conversation/eraseConversation.ts';
import { exportOwn } from '../actions/conversation/exportConversation.ts';
import type { App } from '../app.ts';
import { countUnderInvitesTerm, countUnderTerm } from '../db/conversation/retention.ts';
import { conversationIdOf } from './conversations.ts';
import type { Routes } from './route.ts';

export function rightsRoutes(app: App): Pick<Routes, keyof typeof rightsCalls | keyof typeof eraseCalls> {
  return {
    async exportOwn({ caller, params, query }) {
      const page = await exportOwn(app, caller, conversationIdOf(params), query.after);
      return { success: true, ...page, conversation: page.conversation as VisitorConversation };
    },
    async eraseOwn({ caller, params }) {
      await eraseOwn(app, caller, conversationIdOf(params));
      return { success: true };
    },
    async eraseConversation({ caller, params, query }) {
      await eraseConversation(app, caller, conversationIdOf(params), query.reason);
      return { success: true };
    },
    async countExpired({ query: { days = null, inviteId } }) {
      const conversations = await (inviteId === undefined
        ? countUnderTerm(app.db, days)
        : countUnderInvitesTerm(app.db, inviteId, days));
      return { success: true, conversations };
    },
  };
}

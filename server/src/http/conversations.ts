import { Uuid } from '@settee/protocol/model/ids';
import * as v from 'valibot';
import { accessTo, conversationView } from '../access.ts';
import { accessToRead } from '../actions/conversation/recordView.ts';
import { setStatus } from '../actions/conversation/status.ts';
import type { App } from '../app.ts';
import { Refusal } from '../auth/refusal.ts';
import { readMessages } from '../db/message/messages.ts';
import type { Routes } from './route.ts';
import { sendByCall } from './sendByCall.ts';

/** An id that is no id belongs to nobody: the same answer as for somebody else's. */
export function conversationIdOf(params: Record<string, string>): string {
  const id = v.safeParse(Uuid, params.id);
  if (!id.success) throw new Refusal('not_found');
  return id.output;
}

export function conversationRoutes(
  app: App,
): Pick<Routes, 'readConversation' | 'readMessages' | 'sendMessage' | 'setStatus'> {
  return {
    async readConversation({ caller, params }) {
      const access = await accessTo(app, caller, conversationIdOf(params));
      return { success: true, conversation: conversationView(access) };
    },
    async readMessages({ caller, params, query }) {
      const { conversation } = await accessToRead(app, caller, conversationIdOf(params));
      const messages = await readMessages(app.db, conversation.id, query);
      return { success: true, messages, head: Math.max(conversation.head, messages.at(-1)?.seq ?? 0) };
    },
    async sendMessage({ caller, params, body }) {
      const access = await accessTo(app, caller, conversationIdOf(params));
      const draft = { conversationId: access.conversation.id, ...body };
      return { success: true, ...(await sendByCall(app, access, draft)) };
    },
    async setStatus({ caller, params, body }) {
      const access = await setStatus(app, caller, conversationIdOf(params), body);
      return { success: true, conversation: conversationView(access) };
    },
  };
}

import { accessTo } from '../access.ts';
import type { App } from '../app.ts';
import { readDetails } from '../db/conversation/details.ts';
import { readAuthors } from '../db/message/messages.ts';
import { conversationIdOf } from './conversations.ts';
import type { Routes } from './route.ts';

export function detailRoutes(app: App): Pick<Routes, 'readDetails' | 'readAuthors'> {
  return {
    async readAuthors({ caller, params, query }) {
      const { conversation } = await accessTo(app, caller, conversationIdOf(params));
      const authors = await readAuthors(app.db, conversation.id, Number(query.from), Number(query.to));
      return { success: true, authors };
    },
    async readDetails({ caller, params }) {
      const { conversation } = await accessTo(app, caller, conversationIdOf(params));
      return { success: true, details: await readDetails(app.db, conversation) };
    },
  };
}

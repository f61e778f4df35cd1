import { accessTo } from '../access.ts';
import type { App } from '../app.ts';
import { readDetails } from '../db/details.ts';
import { conversationIdOf } from './conversations.ts';
import type { Routes } from './route.ts';

export function detailRoutes(app: App): Pick<Routes, 'readDetails'> {
  return {
    async readDetails({ caller, params }) {
      const { conversation } = await accessTo(app, caller, conversationIdOf(params));
      return { success: true, details: await readDetails(app.db, conversation) };
    },
  };
}

import { transfer } from '../actions/conversation/handOver.ts';
import type { App } from '../app.ts';
import { readDesks } from '../db/staff/desks.ts';
import { conversationIdOf } from './conversations.ts';
import type { Routes } from './route.ts';

export function transferRoutes(app: App): Pick<Routes, 'transfer' | 'readDesks'> {
  return {
    async transfer({ caller, params, body }) {
      await transfer(app, caller, conversationIdOf(params), body);
      return { success: true };
    },
    async readDesks() {
      return { success: true, desks: await readDesks(app.db) };
    },
  };
}

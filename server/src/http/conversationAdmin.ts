import type { conversationAdminCalls } from '@settee/protocol/conversationAdminCalls';
import type { App } from '../app.ts';
import type { Routes } from './route.ts';

export function conversationAdminRoutes(_app: App): Pick<Routes, keyof typeof conversationAdminCalls> {
  return {};
}

import type { inviteAdminCalls } from '@settee/protocol/inviteAdminCalls';
import type { App } from '../app.ts';
import type { Routes } from './route.ts';

export function inviteAdminRoutes(_app: App): Pick<Routes, keyof typeof inviteAdminCalls> {
  return {};
}

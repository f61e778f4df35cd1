import type { dashboardCalls } from '@settee/protocol/dashboardCalls';
import type { App } from '../app.ts';
import type { Routes } from './route.ts';

export function dashboardRoutes(_app: App): Pick<Routes, keyof typeof dashboardCalls> {
  return {};
}

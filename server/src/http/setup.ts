import type { setupCalls } from '@settee/protocol/setupCalls';
import type { App } from '../app.ts';
import type { Routes } from './route.ts';

export function setupRoutes(_app: App): Pick<Routes, keyof typeof setupCalls> {
  return {};
}

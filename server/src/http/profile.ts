import type { profileCalls } from '@settee/protocol/profileCalls';
import type { App } from '../app.ts';
import type { Routes } from './route.ts';

export function profileRoutes(_app: App): Pick<Routes, keyof typeof profileCalls> {
  return {};
}

import type { accountCalls } from '@settee/protocol/accountCalls';
import type { App } from '../app.ts';
import type { Routes } from './route.ts';

export function accountRoutes(_app: App): Pick<Routes, keyof typeof accountCalls> {
  return {};
}

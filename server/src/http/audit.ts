import type { auditCalls } from '@settee/protocol/auditCalls';
import type { App } from '../app.ts';
import type { Routes } from './route.ts';

export function auditRoutes(_app: App): Pick<Routes, keyof typeof auditCalls> {
  return {};
}

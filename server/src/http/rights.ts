import type { rightsCalls } from '@settee/protocol/rightsCalls';
import type { App } from '../app.ts';
import type { Routes } from './route.ts';

export function rightsRoutes(_app: App): Pick<Routes, keyof typeof rightsCalls> {
  return {};
}

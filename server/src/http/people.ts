import type { peopleCalls } from '@settee/protocol/peopleCalls';
import type { App } from '../app.ts';
import type { Routes } from './route.ts';

export function peopleRoutes(_app: App): Pick<Routes, keyof typeof peopleCalls> {
  return {};
}

import type { App } from '../app.ts';
import { Refused } from '../refused.ts';
import type { Routes } from './route.ts';

export function searchRoutes(_app: App): Pick<Routes, 'search'> {
  const notYet = () => Promise.reject(new Refused('unavailable'));
  return {
    search: notYet,
  };
}

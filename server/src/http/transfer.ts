import type { App } from '../app.ts';
import { Refused } from '../refused.ts';
import type { Routes } from './route.ts';

export function transferRoutes(_app: App): Pick<Routes, 'transfer' | 'readDesks'> {
  const notYet = () => Promise.reject(new Refused('unavailable'));
  return {
    transfer: notYet,
    readDesks: notYet,
  };
}

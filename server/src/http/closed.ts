import type { App } from '../app.ts';
import { Refused } from '../refused.ts';
import type { Routes } from './route.ts';

export function closedRoutes(_app: App): Pick<Routes, 'readClosed' | 'markUnread'> {
  const notYet = () => Promise.reject(new Refused('unavailable'));
  return {
    readClosed: notYet,
    markUnread: notYet,
  };
}

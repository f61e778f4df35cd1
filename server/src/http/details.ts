import type { App } from '../app.ts';
import { Refused } from '../refused.ts';
import type { Routes } from './route.ts';

export function detailRoutes(_app: App): Pick<Routes, 'readDetails'> {
  const notYet = () => Promise.reject(new Refused('unavailable'));
  return {
    readDetails: notYet,
  };
}

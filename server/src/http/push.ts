import type { App } from '../app.ts';
import { Refused } from '../refused.ts';
import type { Routes } from './route.ts';

export function pushRoutes(_app: App): Pick<Routes, 'readPushKey' | 'savePush' | 'dropPush' | 'testPush'> {
  const later = async () => {
    throw new Refused('unavailable');
  };
  return { readPushKey: later, savePush: later, dropPush: later, testPush: later };
}

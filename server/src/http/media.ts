import type { App } from '../app.ts';
import { Refused } from '../refused.ts';
import type { Routes } from './route.ts';

type MediaRoutes = Pick<Routes, 'beginUpload' | 'finishUpload' | 'cancelUpload' | 'readMedia' | 'sendMedia'>;

export function mediaRoutes(_app: App): MediaRoutes {
  const later = async () => {
    throw new Refused('unavailable');
  };
  return { beginUpload: later, finishUpload: later, cancelUpload: later, readMedia: later, sendMedia: later };
}

import type { App } from '../app.ts';
import { Refused } from '../refused.ts';
import type { Routes } from './route.ts';

export function noteRoutes(_app: App): Pick<Routes, 'readNotes' | 'addNote'> {
  const notYet = () => Promise.reject(new Refused('unavailable'));
  return {
    readNotes: notYet,
    addNote: notYet,
  };
}

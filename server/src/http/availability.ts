import type { App } from '../app.ts';
import { Refused } from '../refused.ts';
import type { Routes } from './route.ts';

export function availabilityRoutes(_app: App): Pick<Routes, 'setAvailability'> {
  const notYet = () => Promise.reject(new Refused('unavailable'));
  return {
    setAvailability: notYet,
  };
}

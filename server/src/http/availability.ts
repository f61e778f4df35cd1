import { setAvailability } from '../actions/staff/ownAccount.ts';
import type { App } from '../app.ts';
import type { Routes } from './route.ts';

export function availabilityRoutes(app: App): Pick<Routes, 'setAvailability'> {
  return {
    async setAvailability({ caller, body: { away } }) {
      await setAvailability(app, caller, away);
      return { success: true, away };
    },
  };
}

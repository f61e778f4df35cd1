import type { hoursCalls } from '@settee/protocol/calls/hoursCalls';
import { Alias } from '@settee/protocol/model/staff';
import * as v from 'valibot';
import { setDeskHours } from '../actions/profile/setDeskHours.ts';
import type { App } from '../app.ts';
import { Refusal } from '../auth/refusal.ts';
import { readDeskHours } from '../db/profile/deskHours.ts';
import type { Routes } from './route.ts';

export function hoursRoutes(app: App): Pick<Routes, keyof typeof hoursCalls> {
  return {
    async readDeskHours() {
      return { success: true, desks: await readDeskHours(app.db) };
    },
    async saveDeskHours({ caller, params: { alias }, body: { hours } }) {
      if (!v.is(Alias, alias)) throw new Refusal('not_found');
      await setDeskHours(app, caller, { alias, hours });
      return { success: true, hours };
    },
  };
}

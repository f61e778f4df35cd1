import type { peopleCalls } from '@settee/protocol/calls/peopleCalls';
import { Uuid } from '@settee/protocol/model/ids';
import { Alias } from '@settee/protocol/model/staff';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import * as v from 'valibot';
import { resetFactorOf } from '../actions/staff/factors.ts';
import { moveDesk } from '../actions/staff/moveDesk.ts';
import { choosePassword, openPasswordLink, resetPassword } from '../actions/staff/passwordLinks.ts';
import {
  activatePerson,
  addPerson,
  changePerson,
  deactivatePerson,
  signOutEverywhere,
} from '../actions/staff/people.ts';
import { noSuchPerson } from '../actions/staff/peopleRules.ts';
import type { App } from '../app.ts';
import { allowLookup } from '../auth/rateLimits.ts';
import { Refusal } from '../auth/refusal.ts';
import { readDeskLoad, readLeftDesks } from '../db/dashboard/deskLoad.ts';
import { readAccountRow } from '../db/staff/accounts.ts';
import { hasOthersAt, readPeople } from '../db/staff/people.ts';
import { addressKey } from './address.ts';
import type { Routes } from './route.ts';

export function peopleRoutes(app: App): Pick<Routes, keyof typeof peopleCalls> {
  return {
    async readPeople({ query }) {
      return { success: true, ...(await readPeople(app.db, query, app.clock.now())) };
    },
    async addPerson({ caller, body }) {
      return { success: true, ...(await addPerson(app, body, caller)) };
    },
    async changePerson({ caller, params, body }) {
      await changePerson(app, caller, personIdOf(params), body);
      return { success: true };
    },
    async deactivatePerson({ caller, params }) {
      await deactivatePerson(app, caller, personIdOf(params));
      return { success: true };
    },
    async activatePerson({ caller, params }) {
      await activatePerson(app, caller, personIdOf(params));
      return { success: true };
    },
    async makePasswordLink({ caller, params }) {
      return { success: true, ...(await resetPassword(app, caller, personIdOf(params))) };
    },
    async signOutEverywhere({ caller, params }) {
      await signOutEverywhere(app, caller, personIdOf(params));
      return { success: true };
    },
    async resetFactor({ caller, params }) {
      await resetFactorOf(app, caller, personIdOf(params));
      return { success: true };
    },
    async readLeaving({ params }) {
      const { sql } = app.db;
      const person = await readAccountRow(sql, personIdOf(params));
      if (person === undefined) throw noSuchPerson();
      const { id, alias, active } = person;
      const alone = active && alias !== null && !(await hasOthersAt(sql, alias, id));
      const load = alone ? await readDeskLoad(sql, alias) : { conversations: 0, invites: 0 };
      return { success: true, ...load };
    },
    async readLeftDesks() {
      return { success: true, desks: await readLeftDesks(app.db.sql) };
    },
    async moveDesk({ caller, params, body }) {
      if (!v.is(Alias, params.alias)) throw new Refusal('bad_request', peopleTexts.aliasRefused);
      return { success: true, ...(await moveDesk(app, caller, { from: params.alias, to: body.to })) };
    },
    async openPasswordLink({ body, request }) {
      await allowLookup(app, addressKey(request.ip));
      const { name, email } = await openPasswordLink(app, body.token);
      return { success: true, name, email };
    },
    async choosePassword({ body, request }) {
      await allowLookup(app, addressKey(request.ip));
      await choosePassword(app, body);
      return { success: true };
    },
  };
}

function personIdOf(params: Record<string, string>): string {
  const id = v.safeParse(Uuid, params.id);
  if (!id.success) throw noSuchPerson();
  return id.output;
}

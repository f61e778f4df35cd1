import type { App } from '../../platform/app.ts';
import { idParam, type Routes } from '../../platform/http/route.ts';
import { readAccountRow } from '../accounts.store.ts';
import { markBrowser } from '../knownBrowser.ts';
import { readPeople } from '../people.store.ts';
import { choosePassword, openPasswordLink, resetPassword } from './passwordLinks.ts';
import { activatePerson, addPerson, changePerson, deactivatePerson, signOutEverywhere } from './people.ts';
import { noSuchPerson, readLeaving } from './peopleRules.ts';
import { resetFactorByAdmin } from './resetFactor.ts';

export function peopleRoutes(app: App) {
  return {
    readPeople: ({ query }) => readPeople(app.db, query, app.clock.now()),
    addPerson: ({ caller, body }) => addPerson(app, body, caller),
    changePerson: ({ caller, params, body }) => changePerson(app, caller, personId(params), body),
    deactivatePerson: ({ caller, params }) => deactivatePerson(app, caller, personId(params)),
    activatePerson: ({ caller, params }) => activatePerson(app, caller, personId(params)),
    makePasswordLink: ({ caller, params }) => resetPassword(app, caller, personId(params)),
    signOutEverywhere: ({ caller, params }) => signOutEverywhere(app, caller, personId(params)),
    resetFactor: ({ caller, params }) => resetFactorByAdmin(app, caller, personId(params)),
    async readLeaving({ params }) {
      const person = await readAccountRow(app.db, personId(params));
      if (person === undefined) throw noSuchPerson();
      const desks = await readLeaving(app.db, person, person.desks);
      const sum = (of: 'conversations' | 'invites') => desks.reduce((total, desk) => total + desk[of], 0);
      const total = { conversations: sum('conversations'), invites: sum('invites') };
      return person.desks.length > 1 ? { ...total, desks } : total;
    },
    async openPasswordLink({ body }) {
      const { name, email } = await openPasswordLink(app, body.token);
      return { name, email };
    },
    async choosePassword({ body, reply }) {
      // The link proved whose browser it is.
      markBrowser(app, reply, await choosePassword(app, body));
    },
  } satisfies Partial<Routes>;
}

function personId({ id }: { id: string }): string {
  return idParam(id, noSuchPerson);
}

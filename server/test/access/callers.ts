import { randomUUID } from 'node:crypto';
import { createAdmin } from '../../src/actions/staff/createAccount.ts';
import { Browser, PASSWORD } from '../browser.ts';
import type { TestServer } from '../harness.ts';
import { createAdministrator, createStaff, endGrace, type Person } from '../people.ts';

/** Everybody who may knock at a door. */
export const CALLERS = [
  'anonymous',
  'visitor',
  'otherVisitor',
  'handler',
  'otherHandler',
  'admin',
  'signedOut',
  'unverified',
] as const;
export type CallerName = (typeof CALLERS)[number];

/** The visitors come with a stage: each has a chat of its own there. */
export type StaffName = Exclude<CallerName, 'visitor' | 'otherVisitor'>;
export type StaffCallers = Record<StaffName, Person>;

/** Words that stand nowhere else: the identity firewall looks for them too. */
export const DESK = 'zq-walnut-desk';
export const OTHER_DESK = 'zq-copper-desk';

const makers: Record<StaffName, (server: TestServer) => Promise<Person>> = {
  anonymous: async (server) => nobody(server),
  handler: (server) => createStaff(server, DESK),
  otherHandler: (server) => createStaff(server, OTHER_DESK),
  admin: createAdministrator,
  async signedOut(server) {
    const person = await createStaff(server, DESK);
    await person.call('POST', '/auth/staff/sign-out');
    return person;
  },
  unverified: createUnverified,
};

export function isStaffName(caller: CallerName): caller is StaffName {
  return Object.hasOwn(makers, caller);
}

/** Somebody new of that kind, whose account nobody else uses. */
export function createStaffCaller(server: TestServer, caller: StaffName): Promise<Person> {
  return makers[caller](server);
}

export async function createCallers(server: TestServer): Promise<StaffCallers> {
  const made = {} as StaffCallers;
  for (const caller of CALLERS.filter(isStaffName)) made[caller] = await createStaffCaller(server, caller);
  return made;
}

function nobody(server: TestServer): Person {
  return {
    browser: new Browser(server),
    // Without what an earlier answer may have set: nobody is nobody each time.
    call: (method, path, body) => new Browser(server).call(method, path, body),
    live: () => Promise.reject(new Error('nobody has no token')),
  };
}

/** An administrator with a password alone, whose days for setting up a second factor are over. */
async function createUnverified(server: TestServer): Promise<Person> {
  const email = `unverified.${randomUUID()}@settee.example`;
  await createAdmin(server.app, { email, name: 'Unverified', password: PASSWORD }, 'test');
  const browser = new Browser(server);
  const reply = await browser.call('POST', '/auth/staff/sign-in', { email, password: PASSWORD });
  browser.token = reply.body.idToken;
  await endGrace(server, email);
  return {
    browser,
    call: (method, path, body) => browser.call(method, path, body),
    live: () => Promise.reject(new Error('no socket without a second factor')),
  };
}

import { randomUUID } from 'node:crypto';
import { Scope } from '@settee/protocol/model/apiKey';
import { createAdmin } from '../../src/actions/staff/createAccount.ts';
import { Browser, PASSWORD } from '../browser.ts';
import type { TestServer } from '../harness.ts';
import { createAdministrator, createStaff, endGrace, type Person } from '../people.ts';

/** Every kind of caller. */
export const CALLERS = [
  'anonymous',
  'visitor',
  'otherVisitor',
  'handler',
  'otherHandler',
  'admin',
  'signedOut',
  'unverified',
  'key',
  'revokedKey',
] as const;
export type CallerName = (typeof CALLERS)[number];

/** Visitors come with the stage: each has a conversation there. */
export type StaffName = Exclude<CallerName, 'visitor' | 'otherVisitor'>;
export type StaffCallers = Record<StaffName, Person>;

/** These strings occur nowhere else: the identity firewall test searches for them too. */
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
  key: async (server) => (await createKey(server)).person,
  async revokedKey(server) {
    const { admin, id, person } = await createKey(server);
    await admin.call('DELETE', `/manage/keys/${id}`);
    return person;
  },
};

export function isStaffName(caller: CallerName): caller is StaffName {
  return Object.hasOwn(makers, caller);
}

/** Creates a new caller of this kind with a separate account. */
export function createStaffCaller(server: TestServer, caller: StaffName): Promise<Person> {
  return makers[caller](server);
}

export async function createCallers(server: TestServer): Promise<StaffCallers> {
  const made = {} as StaffCallers;
  for (const caller of CALLERS.filter(isStaffName)) made[caller] = await createStaffCaller(server, caller);
  return made;
}

/** A program with an API key that has every scope, or these. */
export async function createKey(
  server: TestServer,
  scopes: readonly Scope[] = Scope.options,
): Promise<{ admin: Person; id: string; person: Person }> {
  const admin = await createAdministrator(server);
  const { body } = await admin.call('POST', '/manage/keys', { name: 'Shop', scopes, days: null });
  const browser = new Browser(server);
  browser.token = body.secret;
  const person: Person = {
    browser,
    call: (method, path, given) => browser.call(method, path, given),
    live: () => Promise.reject(new Error('no socket with a key')),
  };
  return { admin, id: body.key.id, person };
}

function nobody(server: TestServer): Person {
  return {
    browser: new Browser(server),
    // A new browser each time, without cookies of an earlier answer.
    call: (method, path, body) => new Browser(server).call(method, path, body),
    live: () => Promise.reject(new Error('nobody has no token')),
  };
}

/** An administrator with only a password, whose grace period for a second factor has ended. */
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

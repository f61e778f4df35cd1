import { randomUUID } from 'node:crypto';
import { createAdmin } from '../../src/actions/createAdmin.ts';
import { Browser, PASSWORD } from '../browser.ts';
import type { TestServer } from '../harness.ts';
import { createAdministrator, createStaff, type Person } from '../people.ts';

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
export type StaffCallers = Record<Exclude<CallerName, 'visitor' | 'otherVisitor'>, Person>;

export const DESK = 'm-desk';
export const OTHER_DESK = 'm-other';

export async function createCallers(server: TestServer): Promise<StaffCallers> {
  const signedOut = await createStaff(server, DESK);
  await signedOut.call('POST', '/auth/staff/sign-out');
  return {
    anonymous: nobody(server),
    handler: await createStaff(server, DESK),
    otherHandler: await createStaff(server, OTHER_DESK),
    admin: await createAdministrator(server),
    signedOut,
    unverified: await createUnverified(server),
  };
}

function nobody(server: TestServer): Person {
  const browser = new Browser(server);
  return {
    browser,
    // Without what an earlier answer may have set: nobody is nobody each time.
    call: (method, path, body) => new Browser(server).call(method, path, body),
    live: () => Promise.reject(new Error('nobody has no token')),
  };
}

/** An administrator with a password alone. */
async function createUnverified(server: TestServer): Promise<Person> {
  const email = `unverified.${randomUUID()}@settee.example`;
  await createAdmin(server.app, { email, name: 'Unverified', password: PASSWORD }, 'test');
  const browser = new Browser(server);
  const reply = await browser.call('POST', '/auth/staff/sign-in', { email, password: PASSWORD });
  browser.token = reply.body.idToken;
  return {
    browser,
    call: (method, path, body) => browser.call(method, path, body),
    live: () => Promise.reject(new Error('no socket without a second factor')),
  };
}

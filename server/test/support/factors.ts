import { randomUUID } from 'node:crypto';
import { generateSync } from 'otplib';
import { expect } from 'vitest';
import { createAdmin, createHandler } from '../../src/staff/people/createAccount.ts';
import { Browser, PASSWORD } from './browser.ts';
import type { Reply, TestServer } from './harness.ts';

const STEP_MS = 30_000;

/** A signed-in staff member with credentials. */
export type Member = {
  email: string;
  browser: Browser;
  /** The secret of their authenticator app, once it is set up. */
  secret: string;
  recoveryCodes: string[];
};

/** The code that the app shows, `steps` steps from now. */
export function codeOf(server: TestServer, secret: string, steps = 0): string {
  return generateSync({ secret, epoch: Math.floor((server.app.clock.now() + steps * STEP_MS) / 1_000) });
}

export async function newMember(server: TestServer, role: 'admin' | 'handler'): Promise<Member> {
  const email = `${role}.${randomUUID()}@settee.example`;
  const person = { email, name: 'Somebody', password: PASSWORD };
  if (role === 'admin') await createAdmin(server.app, person, 'test');
  else await createHandler(server.app, { ...person, alias: 'mara-east' }, 'test');
  const browser = new Browser(server);
  const reply = await firstStep(browser, email);
  browser.token = reply.body.idToken;
  return { email, browser, secret: '', recoveryCodes: [] };
}

/** A member with an authenticator app. Its current code is unused: each code works once. */
export async function withApp(server: TestServer, role: 'admin' | 'handler'): Promise<Member> {
  const member = await newMember(server, role);
  const begun = await member.browser.call('POST', '/account/totp/begin');
  const { secret, ticket } = begun.body;
  const code = codeOf(server, secret);
  const done = await member.browser.call('PUT', '/account/totp', { ticket, code });
  expect([done.status, done.body.error]).toEqual([200, undefined]);
  // As if the setup had used the code of the previous step.
  await server.app.db.pool.query(
    'update staff_totp set last_step = last_step - 1 where staff_id = (select id from staff where email = $1)',
    [member.email],
  );
  return { ...member, secret, recoveryCodes: done.body.recoveryCodes };
}

export function firstStep(browser: Browser, email: string, password = PASSWORD): Promise<Reply> {
  return browser.call('POST', '/auth/staff/sign-in', { email, password });
}

/** The ticket for a correct password. */
export async function ticketFor(server: TestServer, email: string, password = PASSWORD): Promise<string> {
  const { body } = await firstStep(new Browser(server), email, password);
  return body.secondFactor.ticket;
}

export function secondStep(
  server: TestServer,
  ticket: string,
  proof: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  return server.request('POST', '/auth/staff/second-factor', { body: { ticket, proof }, headers });
}

/** The audit entries about a staff member, oldest first. */
export async function auditOf(
  server: TestServer,
  email: string,
): Promise<{ actor: string; action: string; details: unknown }[]> {
  const { rows } = await server.app.db.pool.query(
    `select actor, action, details from audit
     where target = (select id::text from staff where email = $1) order by id`,
    [email],
  );
  return rows;
}

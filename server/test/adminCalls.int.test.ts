import { randomUUID } from 'node:crypto';
import type { Call } from '@settee/protocol/calls/call';
import { calls } from '@settee/protocol/calls/http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAdmin } from '../src/actions/staff/createAccount.ts';
import { Browser, PASSWORD } from './browser.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { createChat, createStaff, endGrace } from './people.ts';

let server: TestServer;
const tokens: Record<string, string | undefined> = {};
beforeAll(async () => {
  server = await startTestServer();
  tokens.visitor = (await createChat(server, 'mara-east')).visitor.browser.token;
  tokens.handler = (await createStaff(server, 'mara-east')).browser.token;
  tokens['administrator who set up no second factor in time'] = await unverifiedAdministrator();
});
afterAll(() => server.close());

async function unverifiedAdministrator(): Promise<string> {
  const email = `${randomUUID()}@settee.example`;
  await createAdmin(server.app, { email, name: 'Admin', password: PASSWORD }, 'test');
  const reply = await new Browser(server).call('POST', '/auth/staff/sign-in', { email, password: PASSWORD });
  await endGrace(server, email);
  return reply.body.idToken;
}

const ofAdmins = Object.entries<Call>(calls).filter(([, call]) => call.auth === 'admin');

const REFUSED = [
  ['nobody', 401, 'unauthenticated'],
  ['visitor', 403, 'access_denied'],
  ['handler', 403, 'access_denied'],
  ['administrator who set up no second factor in time', 403, 'second_factor_required'],
] as const;

// Each is refused before its body is checked, so that other callers learn nothing about the call.
test.each(ofAdmins)('[P-03] %s is only for administrators', async (_name, { method, path }) => {
  const address = path.replace(/:[a-z]+/gi, () => randomUUID());
  for (const [who, status, code] of REFUSED) {
    const token = tokens[who];
    const { status: given, body } = await server.request(method, address, {
      ...(token !== undefined && { token }),
      ...(method !== 'GET' && { body: {} }),
    });
    expect([who, given, body.code]).toEqual([who, status, code]);
  }
});

test('[P-03] all calls for administrators are under one path', () => {
  expect(ofAdmins.length).toBeGreaterThan(0);
  for (const [name, { path }] of ofAdmins)
    expect([name, path]).toEqual([name, expect.stringMatching(/^\/manage\//)]);
});

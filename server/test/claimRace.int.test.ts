import { randomBytes, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullSize } from '../../tools/fullSize.ts';
import { signVisitor } from '../src/auth/idToken.ts';
import { csrf, invite } from './browser.ts';
import { startTestServer, type TestServer } from './harness.ts';

const CLAIMS = fullSize(200, 1_000);
const INVITES = fullSize(5, 50);
/** With more at once, some would wait for a connection to the database, on a slow machine for too long. */
const SOCKETS = 10;

let server: TestServer;
const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS });
beforeAll(async () => {
  server = await startTestServer({ config: { databaseConnections: SOCKETS } });
});
afterAll(async () => {
  agent.destroy();
  await server.close();
});

type Answer = { status: number; body: { error: string | null } };

function claim(token: string, idToken: string): Promise<Answer> {
  const body = JSON.stringify({ token, csrf: csrf() });
  const headers = {
    authorization: `Bearer ${idToken}`,
    'content-type': 'application/json',
    'content-length': body.length,
  };
  return new Promise((resolve, reject) => {
    const call = request(`${server.url}/claimInvite`, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as Answer['body'] }),
      );
    });
    call.on('error', reject);
    call.end(body);
  });
}

const newVisitor = () =>
  signVisitor(server.app, { kind: 'visitor', visitorId: randomUUID(), credential: randomBytes(32) });

test(`[INVITE-05] of ${CLAIMS} parallel claims exactly one binds, ${INVITES} times over`, async () => {
  const visitors = await Promise.all(Array.from({ length: CLAIMS }, newVisitor));
  for (let turn = 0; turn < INVITES; turn += 1) {
    const token = await invite(server);
    const answers = await Promise.all(visitors.map(({ idToken }) => claim(token, idToken)));
    const tally = Object.groupBy(answers, ({ status, body }) => `${status} ${body.error}`);
    expect(Object.keys(tally).toSorted()).toEqual(['200 null', '409 Continue code required']);
    expect(tally['200 null']).toHaveLength(1);
    // A loser still has no conversation and can race again. A new visitor replaces the winner.
    visitors[answers.findIndex(({ status }) => status === 200)] = await newVisitor();
  }
  const { rows } = await server.app.db.pool.query<Record<string, number>>(
    `select (select count(*)::int from invites where state = 'BOUND') as bound,
      (select count(*)::int from conversations) as conversations,
      (select count(distinct invite_id)::int from conversations) as invites,
      (select count(*)::int from devices where first) as devices`,
  );
  expect(rows[0]).toEqual({ bound: INVITES, conversations: INVITES, invites: INVITES, devices: INVITES });
}, 400_000);

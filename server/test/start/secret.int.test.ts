import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { acceptSecret } from '../../src/reconcileSecret.ts';
import { Browser, invite, openBrowser } from '../support/browser.ts';
import { codeOf, firstStep, secondStep, ticketFor, withApp } from '../support/factors.ts';
import { request, startTestServer, type TestServer } from '../support/harness.ts';
import { doctorOf } from '../support/operatorWorld.ts';
import { startProduct } from '../support/productProcess.ts';

const OLD = 'the first secret, long enough to be one';
const NEW = 'the second secret, as long as the first';
const THIRD = 'the third secret, as long as the others';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer({ config: { secret: OLD } });
});
afterEach(() => server.close());

/** Another gateway of the same installation with these secrets. The old gateways still run. */
async function restarted(secret: string, secretPrevious?: string): Promise<TestServer> {
  const gateway = await server.startAnother({
    config: { secret, ...(secretPrevious !== undefined && { secretPrevious }) },
  });
  return {
    ...server,
    app: gateway.app,
    url: gateway.url,
    request: (method, path, what) => request(gateway, method, path, what),
  };
}

function moved(browser: Browser, to: TestServer): Browser {
  const there = new Browser(to);
  Object.assign(there, { cookies: browser.cookies, token: browser.token, visitorId: browser.visitorId });
  return there;
}

test('[OPS-03] SECRET is changed with SECRET_PREVIOUS: visitors and staff stay signed in, codes and factors work, also after its removal', async () => {
  const token = await invite(server, 'mara-east');
  const visitor = await openBrowser(server);
  const claimed = (await visitor.claim(token)).body;
  const admin = await withApp(server, 'admin');
  const [first = '', second = '', third = ''] = admin.recoveryCodes;

  const after = await restarted(NEW, OLD);
  // The old token and the renewal with the cookie both work.
  const old = moved(visitor, after);
  await old.signIn();
  expect(old.visitorId).toBe(visitor.visitorId);
  expect((await old.call('GET', `/conversations/${claimed.conversationId}`)).status).toBe(200);
  expect((await moved(admin.browser, after).call('GET', '/account')).status).toBe(200);
  const proved = await secondStep(after, await ticketFor(after, admin.email), {
    method: 'totp',
    code: codeOf(after, admin.secret),
  });
  expect(proved.status).toBe(200);
  const recovered = { method: 'recovery', code: first };
  expect((await secondStep(after, await ticketFor(after, admin.email), recovered)).status).toBe(200);

  // The old secret is removed. Stored data no longer needs it; the cookie was signed again above.
  const later = await restarted(NEW);
  const still = moved(old, later);
  await still.signIn();
  expect(still.visitorId).toBe(visitor.visitorId);
  expect((await still.call('GET', `/conversations/${claimed.conversationId}`)).status).toBe(200);
  const elsewhere = new Browser(later);
  await elsewhere.signIn();
  expect((await elsewhere.attach(token, claimed.continueCode)).body.success).toBe(true);
  const again = { method: 'recovery', code: second };
  expect((await secondStep(later, await ticketFor(later, admin.email), again)).status).toBe(200);

  // Once more, with data made two secrets ago.
  const twice = await restarted(THIRD, NEW);
  const last = { method: 'recovery', code: third };
  expect((await secondStep(twice, await ticketFor(twice, admin.email), last)).status).toBe(200);
  const app = { method: 'totp', code: codeOf(twice, admin.secret, 1) };
  expect((await secondStep(twice, await ticketFor(twice, admin.email), app)).status).toBe(200);
});

test('[OPS-03] while gateways are restarted one by one, each accepts what the other signed', async () => {
  const token = await invite(server, 'mara-east');
  const visitor = await openBrowser(server);
  await visitor.claim(token);
  // First every gateway learns the new secret, then each starts to use it.
  const learned = await restarted(OLD, NEW);
  const uses = await restarted(NEW, OLD);
  const there = moved(visitor, uses);
  await there.signIn();
  const back = moved(there, learned);
  await back.signIn();
  expect(back.visitorId).toBe(visitor.visitorId);
  const admin = await withApp(learned, 'admin');
  const proof = { method: 'totp', code: codeOf(uses, admin.secret) };
  expect((await secondStep(uses, await ticketFor(uses, admin.email), proof)).status).toBe(200);
  // The next start re-encrypts what the slower gateway encrypted with the old secret.
  const later = await restarted(NEW, OLD);
  const alone = await restarted(NEW);
  const next = { method: 'totp', code: codeOf(alone, admin.secret, 1) };
  expect((await secondStep(alone, await ticketFor(alone, admin.email), next)).status).toBe(200);
  expect(later.url).not.toBe(alone.url);
});

test('another SECRET without the previous one is reported at the start and by doctor, with the fix, and changes nothing', async () => {
  const admin = await withApp(server, 'admin');
  const gateway = await startProduct('gateway', {
    DATABASE_URL: server.databaseUrl,
    NATS_URL: inject('engines').NATS_URL ?? '',
    SECRET: NEW,
  });
  await gateway.waitFor('listening');
  await gateway.stop();
  expect(gateway.events()).toContainEqual(
    expect.stringMatching(/^SECRET does not match .*SECRET_PREVIOUS.*settee secret accept$/),
  );
  const wrong = await restarted(NEW);
  const stranger = { method: 'totp', code: codeOf(wrong, admin.secret) };
  expect((await secondStep(wrong, await ticketFor(wrong, admin.email), stranger)).status).toBe(401);
  const about = async (env: Record<string, string>) =>
    (await doctorOf({ DATABASE_URL: server.databaseUrl, ...env }, { offline: true })).filter(
      ({ check, says }) => check === 'SECRET' && !says.includes('strong enough'),
    );
  expect(await about({ SECRET: NEW })).toEqual([
    {
      check: 'SECRET',
      level: 'failure',
      says: expect.stringContaining('does not match this database'),
      remedy: expect.stringMatching(/SECRET_PREVIOUS.*settee secret accept\.$/),
    },
  ]);
  expect(await about({ SECRET: OLD })).toMatchObject([{ level: 'ok' }]);
  expect(await about({ SECRET: NEW, SECRET_PREVIOUS: OLD })).toMatchObject([{ level: 'ok' }]);
  // With the right secret, everything works as before.
  const right = { method: 'totp', code: codeOf(server, admin.secret) };
  expect((await secondStep(server, await ticketFor(server, admin.email), right)).status).toBe(200);
});

test('[OPS-03] a command gives up a lost SECRET: the new one counts, and no factor that cannot be checked is asked for', async () => {
  const admin = await withApp(server, 'admin');
  const lost = await restarted(NEW);
  await acceptSecret(lost.app, 'cli');
  const signedIn = await firstStep(new Browser(lost), admin.email);
  expect(signedIn.body.staff).toMatchObject({ role: 'admin', mustEnrol: false });
  const found = await doctorOf({ DATABASE_URL: server.databaseUrl, SECRET: NEW }, { offline: true });
  expect(found.filter(({ check, level }) => check === 'SECRET' && level !== 'ok')).toEqual([]);
});

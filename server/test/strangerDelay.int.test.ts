import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAdmin } from '../src/actions/staff/createAccount.ts';
import { FIRST_DELAY_SECONDS, FREE_FAILURES } from '../src/auth/strangerDelay.ts';
import { Browser, handler, PASSWORD } from './browser.ts';
import { request, startTestServer, type TestServer } from './harness.ts';
import { inParallel } from './inParallel.ts';
import { createAdministrator } from './people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ config: { trustProxy: ['loopback'] } });
});
afterAll(() => server.close());

let last = 0;
const nextAddress = () => ({ 'x-forwarded-for': `10.9.${Math.floor(++last / 250)}.${last % 250}` });

/** A wrong password from an address that nobody used before. */
function guess(email: string, password = 'wrong') {
  return server.request('POST', '/auth/staff/sign-in', { body: { email, password }, headers: nextAddress() });
}

function signIn(browser: Browser, email: string, password = PASSWORD) {
  return browser.call('POST', '/auth/staff/sign-in', { email, password }, nextAddress());
}

/** Lets the counters believe that this time passed. */
async function letPass(seconds: number): Promise<void> {
  await server.app.db.pool.query('update rate_limits set expire = expire - $1', [seconds * 1_000]);
}

const wait = (reply: Awaited<ReturnType<typeof guess>>) => Number(reply.headers.get('retry-after'));

test('[ACCOUNT-03] guesses from many addresses wait longer and longer, one at a time', async () => {
  for (const email of [(await handler(server)).email, `${randomUUID()}@nobody.example`]) {
    for (let turn = 0; turn <= FREE_FAILURES; turn++) expect((await guess(email)).status).toBe(401);
    const first = await guess(email);
    expect([first.status, first.body.code]).toEqual([429, 'too_many']);
    expect(wait(first)).toBeGreaterThan(0);
    expect(wait(first)).toBeLessThanOrEqual(FIRST_DELAY_SECONDS);

    await letPass(FIRST_DELAY_SECONDS);
    expect((await guess(email)).status).toBe(401);
    const second = await guess(email);
    expect(second.status).toBe(429);
    expect(wait(second)).toBeGreaterThan(FIRST_DELAY_SECONDS);
    expect(wait(second)).toBeLessThanOrEqual(2 * FIRST_DELAY_SECONDS);
  }
});

test('[ACCOUNT-03] another spelling of the address has no guesses of its own', async () => {
  const name = randomUUID();
  const email = `maria.${name}@settee.example`;
  await createAdmin(server.app, { email, name: 'Maria', password: PASSWORD }, 'test');
  expect((await signIn(new Browser(server), email)).status).toBe(200);
  expect((await signIn(new Browser(server), email.toUpperCase())).status).toBe(200);
  expect((await signIn(new Browser(server), `marİa.${name}@settee.example`)).status).toBe(401);
});

test('[ACCOUNT-03] a hundred parallel guesses through two gateways count like one after the other', async () => {
  const { email } = await handler(server);
  const other = await server.startAnother();
  const body = { email, password: 'wrong' };
  const guesses = Array.from(
    { length: 100 },
    (_, at) => () =>
      at % 2 === 0
        ? guess(email)
        : request(other, 'POST', '/auth/staff/sign-in', { body, headers: nextAddress() }),
  );
  const replies = await inParallel(server, guesses);
  expect(replies.filter(({ status }) => status === 401)).toHaveLength(FREE_FAILURES + 1);
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(100 - FREE_FAILURES - 1);
});

test('[ACCOUNT-03] a browser that the account used is not delayed, and has its own limit', async () => {
  const { email } = await handler(server);
  const known = new Browser(server);
  expect((await signIn(known, email)).status).toBe(200);
  const colleague = new Browser(server);
  await signIn(colleague, (await handler(server)).email);

  for (let turn = 0; turn <= FREE_FAILURES; turn++) await guess(email);
  expect((await guess(email, PASSWORD)).status).toBe(429);
  expect((await signIn(new Browser(server), email)).status).toBe(429);
  // The mark of another account does not help, nor does one that was changed.
  expect((await signIn(colleague, email)).status).toBe(429);
  const forged = known.copy();
  const mark = known.cookies['settee-known'] ?? '';
  forged.cookies['settee-known'] = (mark.startsWith('A') ? 'B' : 'A') + mark.slice(1);
  expect((await signIn(forged, email)).status).toBe(429);

  expect((await signIn(known, email)).status).toBe(200);
  // A copied mark allows few guesses, wherever they come from.
  const thief = known.copy();
  const statuses = [];
  for (let turn = 0; turn < 7; turn++) statuses.push((await signIn(thief, email, 'wrong')).status);
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
});

test('[ACCOUNT-03] whoever chose the password with a link may sign in, however much strangers guess', async () => {
  const admin = await createAdministrator(server);
  const email = `${randomUUID()}@settee.example`;
  const person = { name: 'Mara Lindqvist', email, role: 'handler', alias: 'east' };
  const { link } = (await admin.call('POST', '/manage/staff', person)).body;
  for (let turn = 0; turn <= FREE_FAILURES; turn++) await guess(email);
  const browser = new Browser(server);
  const token = link.slice(link.indexOf('#') + 1);
  await browser.call('POST', '/auth/staff/password', { token, password: PASSWORD });
  expect((await signIn(browser, email)).status).toBe(200);
});

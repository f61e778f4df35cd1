import { afterAll, beforeAll, expect, test } from 'vitest';
import { Authenticator } from './authenticator.ts';
import { Browser } from './browser.ts';
import { firstStep, newMember, secondStep, withApp } from './factors.ts';
import { startTestServer, type TestServer } from './harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

async function addTo(browser: Browser, key: Authenticator, name = 'Laptop') {
  const begun = await browser.call('POST', '/account/passkeys/begin');
  const { options, ticket } = begun.body;
  const body = { ticket, name, response: key.make(options) };
  return { reply: await browser.call('POST', '/account/passkeys', body), body };
}

async function asked(email: string) {
  return (await firstStep(new Browser(server), email)).body.secondFactor;
}

const origin = () => server.app.config.publicUrl;

test('[FACTOR-08] a passkey is added and opens the account; it is listed, renamed and removed', async () => {
  const { email, browser } = await newMember(server, 'handler');
  const key = new Authenticator(origin());
  const { reply } = await addTo(browser, key);
  expect(reply.body.recoveryCodes).toHaveLength(10);
  const { ticket, methods, passkey } = await asked(email);
  expect(methods).toEqual(['passkey', 'recovery']);
  const shown = await secondStep(server, ticket, { method: 'passkey', response: key.show(passkey) });
  expect([shown.status, shown.body.error]).toEqual([200, undefined]);

  const list = async () => (await browser.call('GET', '/account')).body.account.passkeys;
  const [{ id, lastUsedAt }] = await list();
  expect(lastUsedAt).toBeGreaterThan(Date.now() - 60_000);
  expect((await browser.call('PUT', `/account/passkeys/${id}`, { name: 'Desk' })).status).toBe(200);
  expect(await list()).toMatchObject([{ id, name: 'Desk' }]);
  // The second one comes without codes: the existing ones still work.
  expect((await addTo(browser, new Authenticator(origin()))).reply.body.recoveryCodes).toBeNull();

  const other = await newMember(server, 'handler');
  expect((await other.browser.call('DELETE', `/account/passkeys/${id}`)).status).toBe(404);
  expect((await other.browser.call('PUT', `/account/passkeys/${id}`, { name: 'Mine' })).status).toBe(404);
  expect((await browser.call('DELETE', `/account/passkeys/${id}`)).status).toBe(200);
  const next = await asked(email);
  const gone = await secondStep(server, next.ticket, { method: 'passkey', response: key.show(next.passkey) });
  expect(gone.body.code).toBe('second_factor_failed');
});

test('[FACTOR-08] a passkey answers one challenge, of this ticket, at this origin, for this host', async () => {
  const { email, browser } = await withApp(server, 'admin');
  const key = new Authenticator(origin());
  await addTo(browser, key);
  const one = await asked(email);
  const two = await asked(email);
  expect(one.methods).toEqual(['totp', 'passkey', 'recovery']);
  const wrong = [
    key.show(two.passkey),
    key.show({ ...one.passkey, rpId: 'evil.example' }),
    Object.assign(key.show(one.passkey), {
      response: { ...key.show(one.passkey).response, signature: key.show(two.passkey).response.signature },
    }),
    new Authenticator(origin()).show(one.passkey),
  ];
  for (const response of wrong) {
    const reply = await secondStep(server, one.ticket, { method: 'passkey', response });
    expect(reply.body.code).toBe('second_factor_failed');
  }
  const proof = { method: 'passkey', response: key.show(one.passkey) };
  expect((await secondStep(server, one.ticket, proof)).status).toBe(200);
  expect((await secondStep(server, one.ticket, proof)).status).toBe(401);
  expect((await secondStep(server, two.ticket, proof)).status).toBe(401);
});

test('[FACTOR-08] a use counter must increase: a copy is refused', async () => {
  const { email, browser } = await newMember(server, 'handler');
  const key = new Authenticator(origin());
  await addTo(browser, key);
  const show = async (counter: number) => {
    const { ticket, passkey } = await asked(email);
    key.counter = counter;
    return (await secondStep(server, ticket, { method: 'passkey', response: key.show(passkey) })).status;
  };
  expect(await show(7)).toBe(200);
  expect(await show(7)).toBe(401);
  expect(await show(0)).toBe(401);
  expect(await show(8)).toBe(200);
});

test('[FACTOR-08] a passkey from elsewhere, for another challenge or another person is not added', async () => {
  const { browser } = await newMember(server, 'handler');
  const other = await newMember(server, 'handler');
  const evil = await addTo(browser, new Authenticator('https://evil.example'));
  expect(evil.reply.body.error).toBe('This passkey can’t be added.');
  const theirs = await other.browser.call('POST', '/account/passkeys/begin');
  const key = new Authenticator(origin());
  const crossed = await browser.call('POST', '/account/passkeys', {
    ticket: theirs.body.ticket,
    name: 'Theirs',
    response: key.make(theirs.body.options),
  });
  expect(crossed.status).toBe(400);
  const { reply, body } = await addTo(browser, key);
  expect(reply.status).toBe(200);
  // Neither a second time nor for another account.
  expect((await browser.call('POST', '/account/passkeys', body)).status).toBe(400);
  expect((await addTo(other.browser, key)).reply.status).toBe(400);
  expect((await other.browser.call('GET', '/account')).body.account.passkeys).toEqual([]);
});

import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullSize } from '../../../tools/fullSize.ts';
import { signVisitor } from '../../src/platform/auth/idToken.ts';
import { claimed, csrf, invite, openBrowser, signedInHandler } from '../support/browser.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';
import { inParallel } from '../support/inParallel.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ config: { lookupsPerMinute: 1_000, codesPerHour: 1_000 } });
});
afterAll(() => server.close());

/** The answer to a check, with all its fields. */
const checked = (state: string | null, more: object) => ({
  ...{ success: false, exists: true, expired: false, revoked: false, state, error: null },
  ...more,
});
const notFound = checked(null, { exists: false, error: 'Invite not found' });

const check = (token: string) => server.request('GET', `/checkInvite/${token}`);
const stateOf = async (token: string): Promise<unknown> => (await check(token)).body.state;

/** A code that is not this one. */
function wrong(code: string): string {
  return String((Number(code) + 1) % 10_000).padStart(4, '0');
}

async function moveLock(token: string, by: string): Promise<void> {
  await server.app.db.pool.query(
    'update invites set code_locked_until = code_locked_until + $2::interval where token_hash = sha256($1::bytea)',
    [Buffer.from(token), by],
  );
}

test('[K-01] a valid invite returns its state and nothing else', async () => {
  const token = await invite(server);
  const reply = await check(token);
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual(checked('NEW', { success: true }));
  expect(reply.headers.get('cache-control')).toBe('no-store');
});

test('[K-01] [LIMIT-02] unknown and malformed tokens get the same answer', async () => {
  const known = await invite(server);
  const unknown = known.slice(0, -4) + (known.endsWith('AAAA') ? 'BBBB' : 'AAAA');
  for (const token of [
    unknown,
    'x',
    known.slice(0, -1),
    `${known}A`,
    '%00',
    encodeURIComponent("' or 1=1"),
  ]) {
    const reply = await check(token);
    expect(reply.status, token).toBe(404);
    expect(reply.body, token).toEqual(notFound);
  }
});

test('[K-01] [INVITE-03] a NEW or SEEN invite expires; a bound one does not', async () => {
  const fresh = await invite(server);
  const { token: bound } = await claimed(server);
  await server.app.db.pool.query("update invites set expires_at = now() - interval '1 second'");
  const reply = await check(fresh);
  expect(reply.status).toBe(410);
  expect(reply.body).toEqual(checked('NEW', { expired: true, error: 'This invite link has expired' }));
  expect((await check(bound)).body).toMatchObject({ success: true, expired: false, state: 'BOUND' });
  const browser = await openBrowser(server);
  const late = await browser.claim(fresh);
  expect(late.status).toBe(410);
  expect(late.body.error).toBe('This invite link has expired');
  expect((await browser.call('POST', '/seeInvite', { token: fresh })).body.code).toBe('invite_expired');
});

test('[K-01] [INVITE-21] check, claim and attach report a revoked invite', async () => {
  const token = await invite(server);
  await server.app.db.pool.query(
    "update invites set state = 'REVOKED', revoked_at = now() where state = 'NEW'",
  );
  const reply = await check(token);
  expect(reply.status).toBe(410);
  const error = 'This invite link has been revoked';
  expect(reply.body).toEqual(checked('REVOKED', { revoked: true, error }));
  const browser = await openBrowser(server);
  for (const refused of [await browser.claim(token), await browser.attach(token, '0000')]) {
    expect(refused.status).toBe(410);
    expect(refused.body).toMatchObject({ success: false, conversationId: null, error });
  }
});

test('[INVITE-01] Start chat turns NEW into SEEN, and changes no other state', async () => {
  const token = await invite(server);
  const browser = await openBrowser(server);
  for (const _ of [1, 2]) {
    const reply = await browser.call('POST', '/seeInvite', { token });
    expect(reply.body).toEqual({ success: true, cookie: true });
    expect(await stateOf(token)).toBe('SEEN');
  }
  await browser.claim(token);
  expect((await browser.call('POST', '/seeInvite', { token })).status).toBe(200);
  expect(await stateOf(token)).toBe('BOUND');
  expect((await server.request('POST', '/seeInvite', { body: { token } })).status).toBe(401);
});

test('[LIMIT-02] [DEVICE-18] an address may check few links a minute, a /64 counting as one, and try few codes an hour', async () => {
  const limited = await startTestServer({
    config: { lookupsPerMinute: 3, codesPerHour: 3, trustProxy: ['loopback'] },
  });
  try {
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const { token, code } = await claimed(limited);
    const look = (address: string) =>
      limited.request('GET', `/checkInvite/${token}`, { headers: from(address) });
    for (const host of ['1', '2', '3']) expect((await look(`2001:db8::${host}`)).status).toBe(200);
    const fourth = await look('2001:db8::4');
    expect([fourth.status, fourth.body]).toEqual([
      429,
      { ...notFound, error: 'Too many requests. Please slow down.', code: 'too_many' },
    ]);
    expect((await look('2001:db8:0:1::1')).status).toBe(200);

    // Of all invites together.
    for (let turn = 0; turn < 3; turn++) {
      const guessed = await claimed(limited);
      const reply = await (await openBrowser(limited)).attach(
        guessed.token,
        wrong(guessed.code),
        from('192.0.2.1'),
      );
      expect(reply.status).toBe(403);
    }
    const other = await openBrowser(limited);
    const refused = await other.attach(token, code, from('192.0.2.1'));
    expect([refused.status, refused.body]).toMatchObject([
      429,
      { success: false, needsCode: true, error: 'Too many requests. Please slow down.' },
    ]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await other.attach(token, code, from('192.0.2.2'))).body.success).toBe(true);
  } finally {
    await limited.close();
  }
});

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

test('[K-02] a claim returns the conversation, a code and the next token, and nothing else', async () => {
  const token = await invite(server);
  const browser = await openBrowser(server);
  const reply = await browser.claim(token);
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({
    success: true,
    conversationId: expect.stringMatching(UUID),
    continueCode: expect.stringMatching(/^[0-9]{4}$/),
    error: null,
    idToken: expect.any(String),
    expiresAt: expect.any(Number),
  });
  expect((await server.request('GET', `/checkInvite/${token}`)).body.state).toBe('BOUND');
  await browser.signIn();
  const { body } = await browser.call('GET', `/conversations/${reply.body.conversationId}`);
  expect(body.conversation).toMatchObject({ visitorId: browser.visitorId, visitorName: '', status: 'open' });
});

test('[K-02] [DEVICE-16] the first device claims again: the same conversation and a code that works; others are asked for the code', async () => {
  const { browser, token, conversationId, code } = await claimed(server);
  const again = await browser.claim(token);
  expect(again.body).toMatchObject({ success: true, conversationId });
  expect(again.body.continueCode).toMatch(/^[0-9]{4}$/);
  expect(await browser.canRead(conversationId)).toBe(true);
  const other = await openBrowser(server);
  const asked = await other.claim(token);
  expect([asked.status, asked.body]).toEqual([
    409,
    { success: false, conversationId: null, continueCode: null, error: 'Continue code required' },
  ]);
  if (again.body.continueCode !== code) expect((await other.attach(token, code)).body.success).toBe(false);
  expect((await other.attach(token, again.body.continueCode)).body.success).toBe(true);
  await other.signIn();
  expect((await other.claim(token)).body).toMatchObject({
    success: true,
    conversationId,
    continueCode: null,
  });
});

test('[DEVICE-16] a browser that lost the answer asks again and continues', async () => {
  const token = await invite(server);
  const browser = await openBrowser(server);
  const before = browser.copy();
  const lost = await browser.claim(token);
  // The page was reopened with the cookie from before the claim.
  await before.signIn();
  expect(before.visitorId).toBe(browser.visitorId);
  const again = await before.claim(token);
  expect(again.body).toMatchObject({ success: true, conversationId: lost.body.conversationId });
  expect(again.body.continueCode).toMatch(/^[0-9]{4}$/);
  await before.signIn();
  expect(await before.canRead(lost.body.conversationId)).toBe(true);
});

test('[DEVICE-16] after some minutes the old secret is void, and its holder a new visitor', async () => {
  const token = await invite(server);
  const browser = await openBrowser(server);
  const thief = browser.copy();
  const { body } = await browser.claim(token);
  await browser.signIn();
  await server.app.db.pool.query(
    "update devices set attached_at = now() - interval '6 minutes' where conversation_id = $1",
    [body.conversationId],
  );
  expect((await thief.claim(token)).status).toBe(409);
  await thief.signIn();
  expect(thief.visitorId).not.toBe(browser.visitorId);
  await browser.signIn();
  expect(await browser.canRead(body.conversationId)).toBe(true);
});

test('[DEVICE-17] a claim replaces the secret: the old token and cookie are void', async () => {
  const first = await claimed(server);
  const { browser } = first;
  const stolen = browser.copy();
  expect(await stolen.canRead(first.conversationId)).toBe(true);
  const second = await browser.claim(await invite(server));
  await browser.signIn();
  expect(await browser.canRead(first.conversationId)).toBe(true);
  expect(await browser.canRead(second.body.conversationId)).toBe(true);
  await stolen.signIn();
  expect(await stolen.canRead(first.conversationId)).toBe(false);
  expect(await stolen.canRead(second.body.conversationId)).toBe(false);
  // It cannot be used to get access in the visitor's name either.
  expect((await stolen.claim(await invite(server))).status).toBe(401);
});

test('[DEVICE-17] of tabs that claim at once one succeeds; the others sign in again and lose nothing', async () => {
  const browser = await openBrowser(server);
  const tabs = await Promise.all(
    Array.from({ length: 4 }, async () => ({ tab: browser.copy(), token: await invite(server) })),
  );
  const replies = await Promise.all(tabs.map(({ tab, token }) => tab.claim(token)));
  expect(replies.filter((reply) => reply.status === 401)).toHaveLength(tabs.length - 1);
  const won = replies.findIndex((reply) => reply.status === 200);
  browser.cookies = tabs[won]?.tab.cookies ?? {};
  await browser.signIn();
  for (const { token } of tabs) {
    expect((await browser.claim(token)).status).toBe(200);
    await browser.signIn();
  }
  expect(await browser.canRead(replies[won]?.body.conversationId)).toBe(true);
});

test('[MSG-41] a page whose browser stores no cookie gains no access; a program that needs none does', async () => {
  const token = await invite(server);
  const browser = await openBrowser(server);
  browser.cookies = {};
  const page = { 'sec-fetch-site': 'same-origin' };
  const asking = { token, csrf: csrf() };
  expect((await browser.call('POST', '/claimInvite', asking, page)).status).toBe(401);
  expect((await server.request('GET', `/checkInvite/${token}`)).body.state).toBe('NEW');
  expect((await browser.call('POST', '/claimInvite', asking)).status).toBe(200);
});

test('[INVITE-06] no row is written before an invite is claimed', async () => {
  const token = await invite(server);
  const count = async () =>
    (
      await server.app.db.pool.query(
        'select (select count(*) from devices) + (select count(*) from conversations) + (select count(*) from visitor_profiles) as n',
      )
    ).rows[0];
  const before = await count();
  const browser = await openBrowser(server);
  await server.request('GET', `/checkInvite/${token}`);
  await browser.call('POST', '/seeInvite', { token });
  expect((await browser.call('PUT', '/visitorProfile', { displayName: 'Ada' })).status).toBe(404);
  expect(await count()).toEqual(before);
});

test('[K-03] the right code lets a second browser in', async () => {
  const { token, conversationId, code } = await claimed(server);
  const other = await openBrowser(server);
  const reply = await other.attach(token, code);
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({
    success: true,
    conversationId,
    needsCode: false,
    error: null,
    idToken: expect.any(String),
    expiresAt: expect.any(Number),
  });
  await other.signIn();
  expect(await other.canRead(conversationId)).toBe(true);
});

test('[K-03] a wrong code is reported; without a code the answer asks for one, and no failure is counted', async () => {
  const { token, conversationId, code } = await claimed(server);
  const other = await openBrowser(server);
  const refused = await other.attach(token, wrong(code));
  expect([refused.status, refused.body]).toEqual([
    403,
    { success: false, conversationId: null, needsCode: true, error: 'Invalid code. Please try again.' },
  ]);
  expect(await other.canRead(conversationId)).toBe(false);
  for (let turn = 0; turn < 12; turn++) {
    const reply = await other.attach(token, '');
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      success: false,
      conversationId: null,
      needsCode: true,
      error: 'Continue code required',
    });
  }
  expect((await other.attach(token, code)).body.success).toBe(true);
});

test('[DEVICE-18] five wrong codes in a row lock the code for 15 minutes, also the right one', async () => {
  const { token, code } = await claimed(server);
  const other = await openBrowser(server);
  for (let turn = 0; turn < 5; turn++) expect((await other.attach(token, wrong(code))).status).toBe(403);
  const locked = await other.attach(token, code);
  expect(locked.status).toBe(429);
  expect(locked.body).toMatchObject({
    success: false,
    needsCode: true,
    error: 'Too many wrong codes. Please wait 15 minutes, or make a new code on your first device.',
  });
  expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(60);
  await moveLock(token, '-14 minutes');
  expect((await other.attach(token, code)).status).toBe(429);
  await moveLock(token, '-1 minute');
  expect((await other.attach(token, code)).body.success).toBe(true);
});

test('[DEVICE-18] parallel guesses count as no more than five', async () => {
  const { token, code } = await claimed(server);
  const other = await openBrowser(server);
  const guesses = Array.from({ length: 30 }, () => () => other.copy().attach(token, wrong(code)));
  const statuses = (await inParallel(server, guesses)).map((reply) => reply.status);
  expect(statuses.filter((status) => status === 403)).toHaveLength(5);
  expect(statuses.filter((status) => status === 429)).toHaveLength(25);
});

test('[DEVICE-18] ten wrong codes in an invite’s life void the code until a new one is made', async () => {
  const { browser, token, conversationId, code } = await claimed(server);
  const other = await openBrowser(server);
  for (const _ of [1, 2]) {
    for (let turn = 0; turn < 5; turn++) await other.attach(token, wrong(code));
    await moveLock(token, '-15 minutes');
  }
  const voided = await other.attach(token, code);
  expect(voided.status).toBe(403);
  expect(voided.body).toMatchObject({
    needsCode: true,
    error: 'This code is no longer valid. Make a new one on your first device.',
  });
  const renewed = await browser.call('POST', `/conversations/${conversationId}/continueCode`);
  expect(renewed.body).toEqual({ success: true, continueCode: expect.stringMatching(/^[0-9]{4}$/) });
  expect((await other.attach(token, renewed.body.continueCode)).body.success).toBe(true);
});

test('[DEVICE-20] a code works once; the first device and staff at the desk can make another', async () => {
  const { browser, token, conversationId, code } = await claimed(server);
  const second = await openBrowser(server);
  const third = await openBrowser(server);
  await second.attach(token, code);
  await second.signIn();
  expect((await third.attach(token, code)).body).toMatchObject({ success: false, needsCode: true });

  const renew = `/conversations/${conversationId}/continueCode`;
  expect((await second.call('POST', renew)).status).toBe(403);
  expect((await third.call('POST', renew)).status).toBe(404);
  expect((await (await signedInHandler(server, 'mara-west')).call('POST', renew)).status).toBe(404);
  expect((await browser.call('POST', renew)).status).toBe(200);
  const byStaff = await (await signedInHandler(server)).call('POST', renew);
  expect((await third.attach(token, byStaff.body.continueCode)).body.success).toBe(true);
});

test('[DEVICE-16] a browser with access returns whatever code it shows', async () => {
  const { browser, token, conversationId, code } = await claimed(server);
  for (const shown of [wrong(code), '', 'abcd']) {
    const reply = await browser.attach(token, shown);
    expect(reply.body).toMatchObject({ success: true, conversationId, needsCode: false, error: null });
  }
  await server.app.db.pool.query('update devices set revoked_at = now() where conversation_id = $1', [
    conversationId,
  ]);
  expect((await browser.attach(token, '')).body).toMatchObject({ success: false, needsCode: true });
  expect((await browser.claim(token)).status).toBe(409);
  // A correct code attaches a revoked device again, but not as the first device.
  expect((await browser.attach(token, code)).body.success).toBe(true);
  await browser.signIn();
  expect((await browser.call('POST', `/conversations/${conversationId}/continueCode`)).status).toBe(403);
});

const CLAIMS = fullSize(40, 1_000);

test(`[INVITE-05] of ${CLAIMS} parallel claims exactly one binds`, async () => {
  const visitors = await Promise.all(
    Array.from({ length: CLAIMS }, () =>
      signVisitor(server.app, { kind: 'visitor', visitorId: randomUUID(), credential: randomBytes(32) }),
    ),
  );
  for (let turn = 0; turn < fullSize(2, 50); turn += 1) {
    const body = { token: await invite(server), csrf: csrf() };
    const claims = visitors.map(
      ({ idToken }) =>
        () =>
          server.request('POST', '/claimInvite', { token: idToken, body }),
    );
    const answers = await inParallel(server, claims);
    const tally = Object.groupBy(answers, (answer) => `${answer.status} ${answer.body.error}`);
    expect(Object.keys(tally).toSorted()).toEqual(['200 null', '409 Continue code required']);
    expect(tally['200 null']).toHaveLength(1);
    // A loser still has no conversation and can race again. The winner has done so.
    visitors.splice(
      answers.findIndex(({ status }) => status === 200),
      1,
    );
    const { rows } = await server.app.db.pool.query(
      `select (select count(*)::int from conversations where invite_id = i.id) as conversations,
         (select count(*)::int from devices d join conversations c on c.id = d.conversation_id
          where c.invite_id = i.id) as devices
       from invites i where token_hash = sha256($1::bytea)`,
      [Buffer.from(body.token)],
    );
    expect(rows).toEqual([{ conversations: 1, devices: 1 }]);
  }
});

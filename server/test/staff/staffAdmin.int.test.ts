import { randomUUID } from 'node:crypto';
import type { Person as PersonView } from '@settee/protocol/calls/peopleCalls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Browser, invite, PASSWORD } from '../support/browser.ts';
import { LiveClient } from '../support/client.ts';
import { firstStep } from '../support/factors.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';
import { inParallel } from '../support/inParallel.ts';
import {
  createAdministrator,
  createChat,
  createStaff,
  endGrace,
  type Person,
  personOf,
  watchQueue,
} from '../support/people.ts';

let server: TestServer;
let admin: Person;
beforeAll(async () => {
  server = await startTestServer({ config: { lookupsPerMinute: 1_000 } });
  admin = await createAdministrator(server);
});
afterAll(() => server.close());

type Draft = { name: string; email: string; role: string; alias: string | null; deskName?: string };
const draft = (change: Partial<Draft> = {}): Draft => ({
  name: 'Mara Lindqvist',
  email: `${randomUUID()}@settee.example`,
  role: 'handler',
  alias: 'east',
  ...change,
});
const add = (person: Draft, by = admin) => by.call('POST', '/manage/staff', person);
const tokenOf = (link: string) => link.slice(link.indexOf('#') + 1);
const open = (token: string) => server.request('POST', '/auth/staff/password-link', { body: { token } });
const choose = (token: string, password: string) =>
  server.request('POST', '/auth/staff/password', { body: { token, password } });
const signIn = (email: string, password: string) =>
  server.request('POST', '/auth/staff/sign-in', { body: { email, password } });

async function find(q: string, show = 'active', by = admin): Promise<PersonView | undefined> {
  const { body } = await by.call('GET', `/manage/staff?q=${encodeURIComponent(q)}&show=${show}`);
  return body.people[0];
}

/** Adds a staff member with a password and signs in. */
async function addSignedIn(change: Partial<Draft> = {}): Promise<Person & { id: string; email: string }> {
  const person = draft(change);
  const { body } = await add(person);
  await choose(tokenOf(body.link), PASSWORD);
  const browser = new Browser(server);
  browser.token = (await firstStep(browser, person.email)).body.idToken;
  return { id: body.id, email: person.email, ...personOf(server, browser) };
}

/** The audit entries about this person, without sign-ins. */
async function audited(target: string): Promise<{ action: string; details: Record<string, unknown> }[]> {
  const { rows } = await server.app.db.pool.query(
    "select action, details from audit where target = $1 and action not like 'staff.signIn%' order by id",
    [target],
  );
  return rows;
}

test('[ADMIN-36] a new staff member has no password until they choose one with the link, which works once', async () => {
  const person = draft();
  const { status, body } = await add(person);
  expect(status).toBe(200);
  expect(body.link).toMatch(/^http:\/\/settee\.test\/handler\/password#[A-Za-z0-9_-]{32}$/);
  expect(body.linkExpiresAt - Date.now()).toBeGreaterThan(71.9 * 3_600_000);
  expect(body.linkExpiresAt - Date.now()).toBeLessThanOrEqual(72 * 3_600_000);
  const token = tokenOf(body.link);
  const { rows } = await server.app.db.pool.query('select * from password_links where staff_id = $1', [
    body.id,
  ]);
  expect(JSON.stringify(rows)).not.toContain(token);
  for (const guess of ['', 'null', PASSWORD])
    expect((await signIn(person.email, guess)).status).not.toBe(200);

  expect((await open(token)).body).toEqual({ success: true, name: person.name, email: person.email });
  expect((await choose(token, PASSWORD)).body).toEqual({ success: true });
  expect((await signIn(person.email.toUpperCase(), PASSWORD)).body.staff).toMatchObject({ alias: 'east' });
  expect((await audited(body.id)).map(({ action }) => action)).toEqual([
    'staff.create',
    'staff.passwordLink',
    'staff.password',
  ]);
});

test('[ADMIN-36] unknown, used, replaced and expired links and those of deactivated people get one answer', async () => {
  const link = async () => {
    const { body } = await add(draft());
    return { id: body.id as string, token: tokenOf(body.link) };
  };
  const used = await link();
  await choose(used.token, PASSWORD);
  const replaced = await link();
  const newer = (await admin.call('POST', `/manage/staff/${replaced.id}/password-link`)).body;
  const ended = await link();
  await server.app.db.pool.query(
    "update password_links set expires_at = now() - interval '1 second' where staff_id = $1",
    [ended.id],
  );
  const gone = await link();
  await admin.call('POST', `/manage/staff/${gone.id}/deactivate`);

  const unknown = 'A'.repeat(32);
  const answers = await Promise.all(
    [unknown, 'nonsense', used.token, replaced.token, ended.token, gone.token].flatMap((token) => [
      open(token),
      choose(token, 'another long password'),
    ]),
  );
  for (const { status, body } of answers) expect([status, body]).toEqual([410, answers[0]?.body]);
  expect(answers[0]?.body.code).toBe('link_void');
  expect((await open(tokenOf(newer.link))).status).toBe(200);
});

test('[ADMIN-36] of many parallel uses of one link, one succeeds', async () => {
  const { body } = await add(draft());
  const tries = await Promise.all(
    Array.from({ length: 8 }, (_, number) => choose(tokenOf(body.link), `password number ${number}`)),
  );
  expect(tries.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200,
    ...Array.from({ length: 7 }, () => 410),
  ]);
});

test('[ADMIN-38] invalid input is refused with a text; an e-mail address is unique regardless of case', async () => {
  const taken = draft();
  const { body } = await add(taken);
  const mistakes: [Partial<Draft>, string][] = [
    [{ name: '  ' }, 'Enter a name'],
    [{ name: 'x'.repeat(81) }, 'A name has at most 80 characters'],
    [{ email: 'nonsense' }, 'That isn’t an e-mail address'],
    [{ alias: null }, 'Someone who answers needs a desk'],
    [{ alias: 'Not Good' }, 'lower-case letters, digits and dashes'],
    [{ email: taken.email.toUpperCase() }, 'An account with this e-mail address already exists'],
  ];
  for (const [change, text] of mistakes) expect((await add(draft(change))).body.error).toBe(text);
  const other = (await add(draft())).body;
  const clash = { person: draft({ email: taken.email.toUpperCase() }) };
  expect((await admin.call('PUT', `/manage/staff/${other.id}`, clash)).body.code).toBe('email_taken');
  // One's own address in another case is no conflict.
  const own = { person: { ...taken, email: taken.email.toUpperCase() } };
  expect((await admin.call('PUT', `/manage/staff/${body.id}`, own)).status).toBe(200);
  expect((await admin.call('PUT', `/manage/staff/${randomUUID()}`, own)).status).toBe(404);
});

test('[ADMIN-40] a desk keeps the name it was given, until its name is changed, which is audited', async () => {
  const nameOf = async (alias: string) => (await admin.call('GET', '/desks')).body.names[alias];
  const { id } = (await add(draft({ alias: 'front-desk', deskName: ' Front  Desk ' }))).body;
  expect(await nameOf('front-desk')).toBe('Front Desk');
  await add(draft({ alias: 'front-desk' }));
  expect(await nameOf('front-desk')).toBe('Front Desk');
  const rename = { person: { deskName: 'Reception' } };
  for (let times = 0; times < 2; times++)
    expect((await admin.call('PUT', `/manage/staff/${id}`, rename)).status).toBe(200);
  expect(await nameOf('front-desk')).toBe('Reception');
  expect((await audited(id)).filter(({ action }) => action === 'staff.update')).toEqual([
    { action: 'staff.update', details: { fields: ['deskName'] } },
  ]);
  const found = (await admin.call('GET', '/manage/staff?q=RECEPTION')).body.people;
  expect(found.map((person: { id: string }) => person.id)).toContain(id);
});

test('[ADMIN-40] a change of role or alias is audited, closes sockets, and takes effect at the next token', async () => {
  const person = await addSignedIn({ alias: 'change-from' });
  const socket = await person.live();
  const change = { person: draft({ name: 'Mara L.', email: person.email, alias: 'change-to' }) };
  expect((await admin.call('PUT', `/manage/staff/${person.id}`, change)).status).toBe(200);
  await socket.until(() => socket.closed !== undefined, 'the socket stays open');
  expect((await person.call('GET', '/handlers/me')).body.handler.alias).toBe('change-to');
  expect((await audited(person.id)).at(-1)).toEqual({
    action: 'staff.update',
    details: { fields: ['name', 'alias'], alias: { before: 'change-from', after: 'change-to' } },
  });
  // Promoted: the password is enough for seven days from now.
  await endGrace(server, person.email);
  const promoted = { person: { ...change.person, role: 'admin', alias: null } };
  expect((await admin.call('PUT', `/manage/staff/${person.id}`, promoted)).status).toBe(200);
  expect((await person.call('GET', '/manage/staff')).status).toBe(200);
  // Demoted: the access ends at once.
  const demoted = { person: { ...change.person, role: 'handler' } };
  expect((await admin.call('PUT', `/manage/staff/${person.id}`, demoted)).status).toBe(200);
  expect((await person.call('GET', '/manage/staff')).body.code).toBe('access_denied');
  // Repeating the same change does nothing.
  const before = (await audited(person.id)).length;
  await admin.call('PUT', `/manage/staff/${person.id}`, demoted);
  expect((await audited(person.id)).length).toBe(before);
});

test('[ADMIN-40] a deactivated person is signed out everywhere within 5 s, and can return once activated', async () => {
  const person = await addSignedIn({ alias: 'leaver' });
  const elsewhere = (await server.startAnother({ config: { sweepSeconds: 3_600 } })).url;
  const sockets = [
    await person.live(),
    await LiveClient.open(elsewhere, server.app.config.publicUrl, person.browser.token),
  ];
  expect((await admin.call('POST', `/manage/staff/${person.id}/deactivate`)).status).toBe(200);
  // Without a sweep: the hint alone must reach the other gateway.
  for (const socket of sockets) await socket.until(() => socket.closed !== undefined, 'still open');
  expect((await person.call('GET', '/queue')).status).toBe(401);
  expect((await signIn(person.email, PASSWORD)).body.code).toBe('sign_in_failed');
  expect(await find(person.email)).toBeUndefined();
  expect(await find(person.email, 'deactivated')).toMatchObject({ id: person.id, active: false });
  expect((await admin.call('POST', `/manage/staff/${person.id}/password-link`)).status).toBe(400);

  expect((await admin.call('POST', `/manage/staff/${person.id}/activate`)).status).toBe(200);
  expect((await person.call('GET', '/queue')).status).toBe(401);
  expect((await signIn(person.email, PASSWORD)).status).toBe(200);
  expect((await audited(person.id)).map(({ action }) => action).slice(-2)).toEqual([
    'staff.deactivate',
    'staff.activate',
  ]);
});

test('[ADMIN-40] a new password link voids the password and signs out; sign out everywhere keeps the password', async () => {
  const person = await addSignedIn();
  expect((await admin.call('POST', `/manage/staff/${person.id}/sign-out`)).status).toBe(200);
  expect((await person.call('GET', '/queue')).status).toBe(401);
  const again = await signIn(person.email, PASSWORD);
  expect(again.status).toBe(200);
  const { body } = await admin.call('POST', `/manage/staff/${person.id}/password-link`);
  expect((await server.request('GET', '/queue', { token: again.body.idToken })).status).toBe(401);
  expect((await signIn(person.email, PASSWORD)).status).toBe(401);
  expect((await choose(tokenOf(body.link), 'quite another password')).status).toBe(200);
  expect((await signIn(person.email, 'quite another password')).status).toBe(200);
  expect((await audited(person.id)).map(({ action }) => action).slice(-3)).toEqual([
    'staff.signOutEverywhere',
    'staff.passwordLink',
    'staff.password',
  ]);
});

test('[ADMIN-40] a reset second factor signs the person out, who signs in with the password alone', async () => {
  const person = await addSignedIn();
  await server.app.db.pool.query(
    "insert into staff_totp (staff_id, secret, last_step) values ($1, '\\x00', 0)",
    [person.id],
  );
  expect((await find(person.email))?.hasFactor).toBe(true);
  expect((await signIn(person.email, PASSWORD)).body.staff).toBeUndefined();
  expect((await admin.call('POST', `/manage/staff/${person.id}/factor/reset`)).status).toBe(200);
  expect((await person.call('GET', '/queue')).status).toBe(401);
  expect((await find(person.email))?.hasFactor).toBe(false);
  expect((await signIn(person.email, PASSWORD)).body.staff).toMatchObject({ staffId: person.id });
  expect((await audited(person.id)).at(-1)).toEqual({ action: 'factor.reset', details: { had: true } });
});

test('[ADMIN-38] two administrators who edit one person do not undo each other’s change', async () => {
  const person = await addSignedIn({ role: 'admin', alias: 'two-editors' });
  const other = await createAdministrator(server);
  const save = (by: Person, change: Partial<Draft>) =>
    by.call('PUT', `/manage/staff/${person.id}`, { person: change });
  expect((await save(other, { role: 'handler' })).status).toBe(200);
  expect((await save(admin, { name: 'Only the name' })).status).toBe(200);
  expect(await find(person.email)).toMatchObject({
    name: 'Only the name',
    email: person.email,
    role: 'handler',
    alias: 'two-editors',
  });
  // The combination of both changes must still be valid.
  expect((await save(admin, { alias: null })).body.error).toBe('Someone who answers needs a desk');
});

test('[ADMIN-41] nothing moves to a desk without staff: no conversation, no invite, not even in a race', async () => {
  const [from, empty] = [`full-${randomUUID().slice(0, 8)}`, `empty-${randomUUID().slice(0, 8)}`];
  const staff = await addSignedIn({ alias: from });
  const { conversationId } = await createChat(server, from);
  await invite(server, from);
  const bring = {
    transfer: () =>
      staff.call('POST', `/conversations/${conversationId}/transfer`, { alias: empty, note: '' }),
    reassign: () =>
      admin.call('POST', '/manage/conversations/reassign', { ids: [conversationId], alias: empty, note: '' }),
    invites: () =>
      admin.call('POST', '/manage/invites', {
        batchId: randomUUID(),
        attempt: 1,
        invites: [{ id: randomUUID(), label: 'Late', alias: empty, days: 3, keepDays: null }],
      }),
    move: () => admin.call('POST', `/manage/desks/${from}/move`, { to: empty }),
  };
  const leaver = await addSignedIn({ alias: empty });
  const act = (what: string) => admin.call('POST', `/manage/staff/${leaver.id}/${what}`);
  await act('deactivate');
  for (const [name, call] of Object.entries(bring)) {
    const { status, body } = await call();
    expect([name, status, body.error]).toEqual([name, 400, `No one answers at ${empty}`]);
  }
  const load = `select (select count(*) from conversations where handler_alias = $1 and status = 'open')
    + (select count(*) from invites where handler_alias = $1 and state = 'NEW') as load`;
  for (let round = 0; round < 4; round += 1) {
    await act('activate');
    const [left, brought] = await Promise.all([act('deactivate'), bring.invites()]);
    const { rows } = await server.app.db.pool.query(load, [empty]);
    // Either the deactivation came first, or the invite did and the person has to stay.
    expect([left.status === 200, brought.status === 200]).toEqual(
      rows[0].load === '0' ? [true, false] : [false, true],
    );
    await server.app.db.pool.query('delete from invites where handler_alias = $1', [empty]);
  }
});

test('[ADMIN-41] a desk with open conversations or unused invites keeps its last person until all is moved', async () => {
  const [from, to] = [`from-${randomUUID().slice(0, 8)}`, `to-${randomUUID().slice(0, 8)}`];
  const last = await addSignedIn({ alias: from });
  const heir = await createStaff(server, to);
  const chats = await inParallel(
    server,
    Array.from({ length: 30 }, () => () => createChat(server, from)),
  );
  const unused = await invite(server, from);
  const { socket: queue } = await watchQueue(heir);

  const leave = () => admin.call('POST', `/manage/staff/${last.id}/deactivate`);
  const goElsewhere = { person: draft({ email: last.email, alias: 'elsewhere' }) };
  const becomeAdmin = { person: draft({ email: last.email, alias: null, role: 'admin' }) };
  expect((await leave()).body.code).toBe('desk_in_use');
  for (const change of [goElsewhere, becomeAdmin]) {
    expect((await admin.call('PUT', `/manage/staff/${last.id}`, change)).body.code).toBe('desk_in_use');
  }
  expect((await admin.call('GET', `/manage/staff/${last.id}/leaving`)).body).toEqual({
    success: true,
    conversations: 30,
    invites: 1,
  });
  const move = (where: string) => admin.call('POST', `/manage/desks/${from}/move`, { to: where });
  expect((await move('nobody-here')).status).toBe(400);
  expect((await move(from)).status).toBe(400);

  // It moves in steps, and each reports its progress.
  const first = (await move(to)).body;
  expect([first.moved, first.left]).toEqual([26, 5]);
  expect((await leave()).body.code).toBe('desk_in_use');
  expect((await move(to)).body).toMatchObject({ moved: 5, left: 0 });
  expect((await leave()).status).toBe(200);

  const { rows } = await heir.call('GET', '/queue').then(({ body }) => body);
  expect(rows).toHaveLength(30);
  const { conversationId, visitor } = chats[0] ?? (await createChat(server, to));
  const { notes } = (await heir.call('GET', `/conversations/${conversationId}/notes`)).body;
  expect(notes).toMatchObject([{ author: 'Admin', text: '', handover: { from, to } }]);
  expect((await audited(conversationId)).map(({ action }) => action)).toEqual(['conversation.transfer']);
  expect(await audited(from)).toEqual([{ action: 'invites.move', details: { to, invites: 1 } }]);
  await queue.next('queueChange', ({ rows: changed }) =>
    changed.some((row) => row.conversationId === conversationId),
  );
  // The visitor notices nothing, and the invite now opens a chat at the new desk.
  expect(JSON.stringify((await visitor.call('GET', `/conversations/${conversationId}`)).body)).not.toContain(
    to,
  );
  const late = new Browser(server);
  await late.signIn();
  const claimed = (await late.claim(unused)).body.conversationId;
  expect((await heir.call('GET', `/conversations/${claimed}`)).status).toBe(200);
});

test('[ADMIN-44] there is always an administrator: not oneself, not the last, not both at once', async () => {
  const own = await startTestServer();
  try {
    const [one, two] = [await createAdministrator(own), await createAdministrator(own)];
    const { rows } = await own.app.db.pool.query<{ id: string; email: string }>(
      "select id, email from staff where role = 'admin' order by created_at",
    );
    const [a, b] = [rows[0]?.id, rows[1]?.id];
    expect((await one.call('POST', `/manage/staff/${a}/deactivate`)).status).toBe(400);
    expect((await one.call('POST', `/manage/staff/${a}/password-link`)).status).toBe(400);
    const handler = (number: number) => ({
      person: { name: 'Demoted', email: rows[number]?.email, role: 'handler', alias: 'desk' },
    });
    const restore = () => own.app.db.pool.query("update staff set role = 'admin', active = true");
    for (let round = 0; round < 3; round += 1) {
      const demotions = await Promise.all([
        one.call('PUT', `/manage/staff/${b}`, handler(1)),
        two.call('PUT', `/manage/staff/${a}`, handler(0)),
      ]);
      expect(demotions.filter(({ status }) => status === 200)).toHaveLength(1);
      const left = await own.app.db.pool.query("select id from staff where role = 'admin' and active");
      expect(left.rows).toHaveLength(1);
      await restore();
    }
    // They cannot both reset each other's password, and a person deactivated while waiting cannot act any more.
    const { rows: kept } = await own.app.db.pool.query('select id, password_hash from staff');
    for (const act of ['password-link', 'deactivate', 'sign-out', 'factor/reset']) {
      const answers = await Promise.all([
        one.call('POST', `/manage/staff/${b}/${act}`),
        two.call('POST', `/manage/staff/${a}/${act}`),
      ]);
      expect([act, answers.map(({ status }) => status).toSorted((a, b) => a - b)]).toEqual([act, [200, 401]]);
      await restore();
      await own.app.db.pool.query('update staff_sessions set revoked_at = null');
      for (const { id, password_hash } of kept) {
        await own.app.db.pool.query('update staff set password_hash = $2 where id = $1', [id, password_hash]);
      }
    }
    // An administrator without a password could not sign in, so they do not count.
    await one.call('POST', '/manage/staff', {
      name: 'New',
      email: 'new@settee.example',
      role: 'admin',
      alias: null,
    });
    expect((await one.call('PUT', `/manage/staff/${b}`, handler(1))).status).toBe(200);
    expect((await one.call('PUT', `/manage/staff/${a}`, handler(0))).body.code).toBe('last_admin');
  } finally {
    await own.close();
  }
});

test('[AUTH-07] whatever opens an account to somebody asks an older session for the password', async () => {
  const keeper = await createAdministrator(server);
  const [other, handler] = [draft({ role: 'admin', alias: null }), draft()];
  const otherId = (await add(other)).body.id;
  const handlerId = (await add(handler)).body.id;
  const otherHandlerId = (await add(draft())).body.id;
  const goneId = (await add(draft())).body.id;
  await admin.call('POST', `/manage/staff/${goneId}/deactivate`);
  const at = (id: string) => `/manage/staff/${id}`;
  const change = (id: string, person: Partial<Draft>) =>
    keeper.call('PUT', at(id), { person, bringAlong: false });
  await server.app.db.pool.query(
    `update staff_sessions set confirmed_at = confirmed_at - interval '11 minutes',
       second_factor_at = second_factor_at - interval '11 minutes'
     where staff_id = (select id from staff where email = $1)`,
    [(await keeper.call('GET', '/account')).body.account.email],
  );
  const asked = [
    () => add(draft({ role: 'admin', alias: null }), keeper),
    () => change(handlerId, { role: 'admin' }),
    () => change(otherId, { email: `${randomUUID()}@settee.example` }),
    () => keeper.call('POST', `${at(otherId)}/password-link`),
    () => keeper.call('POST', `${at(otherId)}/factor/reset`),
    () => add(draft(), keeper),
    () => change(otherHandlerId, { email: `${randomUUID()}@settee.example` }),
    () => keeper.call('POST', `${at(otherHandlerId)}/password-link`),
    () => keeper.call('POST', `${at(otherHandlerId)}/factor/reset`),
    () => keeper.call('POST', `${at(goneId)}/activate`),
  ];
  for (const [place, ask] of asked.entries()) {
    const { status, body } = await ask();
    expect([place, status, body.code]).toEqual([place, 403, 'password_required']);
  }
  for (const free of [
    () => change(otherHandlerId, { name: 'Mara L.', alias: 'west' }),
    () => change(otherId, { name: 'Another name' }),
    () => keeper.call('POST', `${at(handlerId)}/sign-out`),
    () => keeper.call('POST', `${at(goneId)}/deactivate`),
  ])
    expect((await free()).status).toBe(200);
  expect((await keeper.call('POST', '/account/password/confirm', { password: PASSWORD })).status).toBe(200);
  for (const [place, ask] of asked.entries()) expect([place, (await ask()).status]).toEqual([place, 200]);
});

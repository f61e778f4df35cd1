import { randomUUID } from 'node:crypto';
import { PROTOCOL_VERSION } from '@settee/protocol/frames/version';
import type { JobHelpers } from 'graphile-worker';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { encryptAddress, sealContent } from '../../src/mail/mailSecrets.ts';
import { sendMail } from '../../src/mail/sendMail.ts';
import type { BrandChange } from '../../src/profile/brand.store.ts';
import { createProfile } from '../../src/profile/createProfile.ts';
import { setAvatar } from '../../src/profile/setAvatar.ts';
import { setBrand } from '../../src/profile/setBrand.ts';
import { setDeskHours } from '../../src/profile/setDeskHours.ts';
import { Browser, invite, openBrowser } from '../support/browser.ts';
import { buildPages } from '../support/builtPages.ts';
import { LiveClient } from '../support/client.ts';
import { fakeClock } from '../support/fakeClock.ts';
import { type Canaries, Recorder, received, scanner, type Tap } from '../support/firewall.ts';
import { mailSettings } from '../support/mailWorld.ts';
import { createAdministrator, createChat, createStaff, type Person } from '../support/people.ts';
import { png } from '../support/pictures.ts';
import { type PushWorld, startPushWorld } from '../support/pushWorld.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 180_000 });

const MAIN_NAME = 'Mirabel Fernsby';
const NOWHERE = `a0${'n'.repeat(32)}`;
const CLOSED = { timeZone: 'UTC', week: Array.from({ length: 7 }, () => []) };

const pages = buildPages();
let world: PushWorld;
beforeAll(async () => {
  const mail = mailSettings({ SMTP_URL: 'smtp://127.0.0.1:1' });
  world = await startPushWorld({ config: { webRoot: pages.folder, mail } });
});
afterAll(async () => {
  await world.stop();
  pages.remove();
});

const query = async (text: string, values: unknown[] = []) =>
  (await world.server.app.db.pool.query(text, values)).rows;
const pageOf = async (token: string) => (await fetch(`${world.server.url}/i/${token}`)).text();
const brandOf = async (token: string) =>
  (await new Browser(world.server).call('GET', `/brand?invite=${token}`)).body;

test('a program of the release before and a newer one show the same profile, until there is a second one', async () => {
  const { app } = world.server;
  await query('update brand set display_name = $1, hours_rev = hours_rev + 1', ['From the old one']);
  expect((await brandOf(NOWHERE)).brand.displayName).toBe('From the old one');
  await setBrand(app, { displayName: MAIN_NAME, farewell: 'Bye' }, 'test');
  expect(await query('select display_name, farewell, hours_rev from brand')).toEqual(
    await query('select display_name, farewell, hours_rev from profiles'),
  );
  const add = () => createProfile(app, { slug: 'zq-first', displayName: 'First' }, 'test');
  for (const table of ['gateways (id, alone, expires_at)', 'workers (id, seen_at)']) {
    const id = randomUUID();
    // A worker of 0.2.0 has a heartbeat every 30 s.
    const rest = table.startsWith('gateways')
      ? "false, now() + interval '1 hour'"
      : "now() - interval '80 seconds'";
    await query(`insert into ${table} values ($1, ${rest})`, [id]);
    await expect(add()).rejects.toThrow('earlier release');
    await query(`delete from ${table.split(' ')[0]} where id = $1`, [id]);
  }
  expect(await query('select slug from profiles')).toEqual([{ slug: 'main' }]);
  await add();
  await expect(add()).rejects.toThrow('already');
  // Without its row, a gateway of the release before does not start, and a worker sends no notification.
  expect(await query('select from brand')).toEqual([]);
  await setBrand(app, { verified: false }, 'test');
  expect((await brandOf(NOWHERE)).brand).toMatchObject({ displayName: MAIN_NAME, verified: false });
});

/** One profile with its desk, its visitor, and everything that the visitor received. */
type Side = {
  slug: string;
  alias: string;
  handler: Person;
  token: string;
  visitor: Browser;
  conversationId: string;
  recorder: Recorder;
  before: Tap;
  chat: Tap;
  /** What the visitor sees, and what nobody at the other profile may. */
  shown: Canaries;
  hidden: Canaries;
};

async function startSide(word: string): Promise<Side> {
  const { app, url } = world.server;
  const [slug, alias] = [`zq-${word}-profile`, `zq-${word}-desk`];
  await createProfile(app, { slug, displayName: `${word} public` }, 'test');
  const texts = Object.fromEntries(
    ['disclosure', 'greeting', 'farewell', 'awayMessage'].map((what) => [what, `${word} ${what}`]),
  );
  await setBrand(app, { ...texts, visitorMail: true } as BrandChange, 'test', slug);
  const { brand } = await setAvatar(app, Buffer.from(await png()), 'test', slug);
  await query('insert into handlers (alias, profile) values ($1, $2)', [alias, slug]);
  const handler = await createStaff(world.server, alias);
  const token = await invite(world.server, alias);

  const recorder = new Recorder();
  const watched = recorder.listening(world.server);
  const avatar = brand.avatarUrl ?? '';
  for (const path of [`/i/${token}`, `/i/${token}/manifest.webmanifest`, `/chat/${brand.mark}`, avatar])
    await recorder.fetched(`GET ${path}`, url + path);
  const visitor = await openBrowser(watched);
  await visitor.call('GET', `/checkInvite/${token}`);
  await visitor.call('GET', `/brand?invite=${token}`);
  const before = await recorder.tap(world.server, visitor.token, PROTOCOL_VERSION, { invite: token });
  await received(before, 'welcome');
  const { conversationId } = (await visitor.claim(token)).body;
  await visitor.signIn();
  const chat = await recorder.tap(world.server, visitor.token, PROTOCOL_VERSION, { invite: token });
  chat.send({ type: 'watch', conversationId });
  await received(chat, 'watched');
  const shown = { ...texts, name: `${word} public`, avatar: avatar.slice('/brand/avatar/'.length, 50) };
  const hidden = { slug, alias, token, mark: brand.mark ?? '', visitor: visitor.visitorId, conversationId };
  return { slug, alias, handler, token, visitor, conversationId, recorder, before, chat, shown, hidden };
}

/** Everything that happens to the visitor: replies, notifications, mails, hours, a closed chat. */
async function liveThrough({
  handler,
  visitor,
  conversationId,
  recorder,
  slug,
  alias,
  chat,
}: Side): Promise<void> {
  const { app } = world.server;
  const path = `/conversations/${conversationId}`;
  await visitor.call('PUT', '/push/subscription', world.service.subscription(slug));
  await visitor.call('POST', `${path}/messages`, { id: randomUUID(), text: `${slug} asks` });
  await handler.call('POST', `${path}/messages`, { id: randomUUID(), text: `${slug} answers` });
  await world.deliver();
  for (const { payload } of world.service.received(slug)) recorder.saw('push', JSON.stringify(payload));

  const address = encryptAddress(app, conversationId, 'anna@example.org');
  await query(
    `insert into visitor_mails (conversation_id, visitor_id, address, pending, code_hash, code_expires_at, language, seq)
     values ($1, $2, $3, $3, '\\x00', now() + interval '1 hour', 'en', 2)`,
    [conversationId, visitor.visitorId, address],
  );
  const sender = {
    async send(mail: unknown) {
      recorder.saw('mail', JSON.stringify(mail));
      return { outcome: 'sent' } as const;
    },
  };
  const parts = { db: app.db, config: app.config, mail: sender as never, log: app.log, metrics: app.metrics };
  const sealed = sealContent(app, conversationId, '123456');
  for (const payload of [{ kind: 'reply' }, { kind: 'code', sealed }])
    await sendMail(parts, { conversationId, ...payload }, { attempts: 1 } as JobHelpers['job']);

  const staff = { kind: 'staff', staffId: randomUUID() } as never;
  await setDeskHours(app, staff, { alias, hours: CLOSED as never });
  await received(chat, 'conversation');
  await handler.call('PUT', `${path}/status`, { status: 'closed' });
  for (const asked of ['', '/messages', '/export', '/mail', '/devices'])
    await visitor.call('GET', path + asked);
}

test('[PRIVACY-19] a visitor receives nothing of another profile: pages, calls, frames, notifications, mails', async () => {
  const { app } = world.server;
  const unknown = await pageOf(NOWHERE);
  const [a, b] = [await startSide('amaranth'), await startSide('bergamot')];
  const sides = [
    [a, b],
    [b, a],
  ] as const;
  // Presence before the chat is that of the profile, in the chat that of the desk.
  const desk = await a.handler.live();
  await received(a.before, 'presence');
  for (const [side] of sides) await liveThrough(side);
  for (const [side] of sides) await setBrand(app, { verified: false }, 'test', side.slug);
  for (const [side] of sides) for (const tap of [side.before, side.chat]) await received(tap, 'brand');
  expect(b.before.received.filter(({ type }) => type === 'presence')).toEqual([]);
  desk.close();

  // Whose id or name it is does not matter: an id of the other one is like a random one, and so is its name.
  for (const [side, other] of sides) {
    for (const asked of ['', '/messages', '/export', '/mail', '/devices']) {
      const [theirs, nobodys] = await Promise.all(
        [other.conversationId, randomUUID()].map((id) =>
          side.visitor.call('GET', `/conversations/${id}${asked}`),
        ),
      );
      expect([theirs?.status, theirs?.body]).toEqual([nobodys?.status, nobodys?.body]);
    }
    // Not recorded: the visitor knows what they typed.
    side.chat.close();
    const unwatched = Object.assign(new Browser(world.server), { token: side.visitor.token });
    const rename = (visitorName?: string) =>
      unwatched.call('PUT', `/conversations/${side.conversationId}/visitorName`, { visitorName });
    expect((await rename(side.shown.name)).status).toBe(400);
    expect((await rename(other.shown.name)).status).toBe(200);
    await rename('Anna');
  }

  for (const [side, other] of sides) {
    const scan = scanner({ ...other.shown, ...other.hidden, main: MAIN_NAME });
    expect(side.recorder.seen.flatMap(({ where, content }) => scan(where, content))).toEqual([]);
    // There was something to find, in each place.
    const own = scanner(side.shown);
    const found = side.recorder.seen.flatMap(({ where, content }) => own(where, content));
    expect(new Set(found.map(({ what }) => what))).toEqual(new Set(Object.keys(side.shown)));
    const places = found.filter(({ what }) => what === 'name').map(({ where }) => where);
    for (const place of [
      'push',
      'mail',
      'frame welcome',
      'frame brand',
      `GET /i/${side.token}/manifest.webmanifest`,
    ])
      expect(places).toContain(place);
  }

  // A link that does not work shows the first profile, as if there were no other.
  const [expired, revoked] = [await invite(world.server, a.alias), await invite(world.server, b.alias)];
  await query(`update invites set expires_at = now() where handler_alias = $1 and state = 'NEW'`, [a.alias]);
  await query(`update invites set state = 'REVOKED' where handler_alias = $1 and state = 'NEW'`, [b.alias]);
  for (const token of [NOWHERE, expired, revoked]) expect(await pageOf(token)).toBe(unknown);
});

test('a chat shows its profile as soon as it is opened, whatever its link or a cached page shows', async () => {
  const side = await startSide('calendula');
  for (const [hello, greeting] of [
    [{}, MAIN_NAME],
    [{ invite: side.token }, side.shown.name],
  ] as const) {
    const tap = await new Recorder().tap(world.server, side.visitor.token, PROTOCOL_VERSION, hello);
    tap.send({ type: 'watch', conversationId: side.conversationId });
    await received(tap, 'watched');
    const names = tap.received.flatMap((frame) =>
      'brand' in frame ? [(frame.brand as { displayName: string }).displayName] : [frame.type],
    );
    expect(names).toEqual([greeting, side.shown.name, 'presence', 'watched']);
    tap.close();
  }
});

test('a console has the settings and the presence of the profile of its first desk', async () => {
  const { app } = world.server;
  const [first, second] = ['zq-ebony-desk', 'zq-main-desk'];
  // Without a sweep.
  const gateway = await world.server.startAnother({ clock: fakeClock(Date.now()) });
  await createProfile(app, { slug: 'zq-ebony', displayName: 'Ebony' }, 'test');
  await setBrand(app, { waitingMinutes: 7 }, 'test', 'zq-ebony');
  const colleague = await (await createStaff(world.server, second)).live(gateway.url);
  await expect.poll(async () => (await brandOf(NOWHERE)).online).toBe(true);
  await query('insert into handlers (alias, profile) values ($1, $2)', [first, 'zq-ebony']);
  const person = await createStaff(world.server, first);
  await person.call('PUT', '/handlers/me/availability', { away: true });
  const connect = () => LiveClient.hello(gateway.url, app.config.publicUrl, person.browser.token);
  const socket = await connect();
  await socket.until(() => socket.received.length > 0, 'no welcome');
  // The gateway learns now whose desk that is.
  app.announce.brandChanged();
  const ebony = { brand: { displayName: 'Ebony' }, settings: { waitingMinutes: 7 }, online: false };
  await expect.poll(() => Object.assign({}, ...socket.received)).toMatchObject(ebony);

  await query('insert into desk_staff (alias, staff_id) select $1, id from staff where alias = $2', [
    second,
    first,
  ]);
  // Here, but on duty at the second desk only.
  await query('update desk_staff set off = true where alias = $1', [first]);
  await person.call('PUT', '/handlers/me/availability', { away: false });
  const again = await connect();
  expect(await again.next('welcome')).toMatchObject(ebony);
  for (const each of [colleague, socket, again]) each.close();
});

test('work never moves to a desk of another profile, which looks like one that does not exist', async () => {
  const { handler, conversationId, alias } = await startSide('damask');
  const admin = await createAdministrator(world.server);
  await createStaff(world.server, 'main-desk');
  const transfer = (to: string) =>
    handler.call('POST', `/conversations/${conversationId}/transfer`, { alias: to, note: '' });
  const [other, unknown] = [await transfer('main-desk'), await transfer('none-desk')];
  expect(other.status).toBe(400);
  expect(other.body.error.replace('main-desk', 'none-desk')).toBe(unknown.body.error);
  const moved = await admin.call('POST', `/manage/desks/${alias}/move`, { to: 'main-desk' });
  expect([moved.status, moved.body.error]).toEqual([400, other.body.error]);
  // Among many, it stays, and the others move.
  const chats = await Promise.all(['main-a', 'main-b'].map((at) => createChat(world.server, at)));
  const ids = [conversationId, ...chats.map((chat) => chat.conversationId)];
  const many = { ids, alias: 'main-desk', note: '' };
  const { body } = await admin.call('POST', '/manage/conversations/reassign', many);
  expect(body).toEqual({ success: true, moved: 2, missed: [conversationId] });
  for (const change of [
    `update conversations set handler_alias = 'main-desk' where id = '${conversationId}'`,
    `update invites set handler_alias = 'main-desk' where handler_alias = '${alias}'`,
    `update handlers set profile = 'main' where alias = '${alias}'`,
  ])
    await expect(query(change)).rejects.toThrow('profile');
});

/** What this person gets from every call without side effects, and on the socket of a console. */
async function allOf(person: Person): Promise<{ where: string; content: string }[]> {
  const paths = [
    '/desks',
    '/replies',
    '/queue',
    '/queue/closed',
    '/search?q=public',
    '/handlers/me',
    '/account',
  ];
  const answers = paths.map(async (path) => ({
    where: path,
    content: JSON.stringify((await person.call('GET', path)).body),
  }));
  const { url, app } = world.server;
  const socket = await LiveClient.hello(url, app.config.publicUrl, person.browser.token);
  socket.send({ type: 'watchQueue', paged: true, desks: true });
  await socket.until(() => socket.received.some(({ type }) => type === 'visitors'), 'no queue');
  socket.close();
  return [...(await Promise.all(answers)), { where: 'frames', content: JSON.stringify(socket.received) }];
}

// Without the profiles of the own desks in readDesks or readReplies, or with those of all in the welcome.
test('[PRIVACY-20] staff of one profile learn nothing of another: desks, people, saved replies, names', async () => {
  const [a, b] = [await startSide('edelweiss'), await startSide('foxglove')];
  const sides = [
    [a, b],
    [b, a],
  ] as const;
  for (const [side, other] of sides) {
    await query('update handlers set name = $2 where alias = $1', [side.alias, `${side.slug} front`]);
    await query('update staff set name = $2 where alias = $1', [side.alias, `${side.slug} person`]);
    const reply = { shortcut: 'hello', text: `${side.slug} reply`, shared: true, profile: side.slug };
    const save = (person: Person) => person.call('PUT', `/replies/${randomUUID()}`, reply);
    // Each may use the same shortcut, but only their own profile.
    expect((await save(side.handler)).body.reply).toMatchObject({ profile: side.slug });
    const saveFor = (profile: string) =>
      side.handler.call('PUT', `/replies/${randomUUID()}`, { ...reply, shortcut: 'other', profile });
    const [theirs, nobodys] = [await saveFor(other.slug), await saveFor('none')];
    expect([theirs.status, theirs.body]).toEqual([400, nobodys.body]);
  }
  for (const [side, other] of sides) {
    const seen = await allOf(side.handler);
    const scan = scanner({ ...other.hidden, name: other.shown.name ?? '' });
    expect(seen.flatMap(({ where, content }) => scan(where, content))).toEqual([]);
    const own = scanner({ slug: side.slug, reply: `${side.slug} reply`, desk: `${side.slug} front` });
    const found = seen.flatMap(({ where, content }) => own(where, content));
    expect(new Set(found.map(({ what }) => what))).toEqual(new Set(['slug', 'reply', 'desk']));
  }
  // Whoever leaves the profile loses its replies, also the own ones.
  const [{ id }] = await query('select id from staff where alias = $1', [a.alias]);
  await query('update staff set alias = $2 where id = $1', [id, b.alias]);
  const texts = (await a.handler.call('GET', '/replies')).body.replies.map(
    ({ text }: { text: string }) => text,
  );
  expect(texts).toEqual([`${b.slug} reply`]);
});

// Without the desk in presence, typing or the sender of a reply.
test('[PRIVACY-19] a person of two profiles is two strangers to the visitors', async () => {
  const { app } = world.server;
  const [a, b] = [await startSide('gentian'), await startSide('hyacinth')];
  const [{ id }] = await query('select id from staff where alias = $1', [a.alias]);
  await query('insert into desk_staff (alias, staff_id) values ($1, $2)', [b.alias, id]);
  const desk = await a.handler.live();
  desk.send({ type: 'watchQueue', paged: true, desks: true });
  for (const { chat } of [a, b]) await received(chat, 'presence');
  for (const { conversationId, chat, slug, shown } of [a, b]) {
    desk.send({ type: 'watch', conversationId });
    await desk.next('watched');
    desk.send({ type: 'attend', conversationId, doing: 'replying' });
    desk.send({ type: 'typing', conversationId });
    await received(chat, 'typing');
    await a.handler.call('POST', `/conversations/${conversationId}/messages`, {
      id: randomUUID(),
      text: slug,
    });
    await received(chat, 'message');
    await setBrand(app, { greeting: shown.greeting }, 'test', slug);
    await received(chat, 'brand');
  }
  // Off duty at one: only its visitor sees that.
  const before = b.chat.received.length;
  await a.handler.call('PUT', `/handlers/me/desks/${a.alias}`, { off: true });
  await expect
    .poll(() => a.chat.received.filter(({ type }) => type === 'presence').at(-1))
    .toMatchObject({ online: false });
  await b.visitor.call('GET', `/conversations/${b.conversationId}/messages`);
  expect(b.chat.received.slice(before).filter(({ type }) => type === 'presence')).toEqual([]);
  for (const [side, other] of [
    [a, b],
    [b, a],
  ] as const) {
    const scan = scanner({ ...other.shown, ...other.hidden, person: id });
    expect(side.recorder.seen.flatMap(({ where, content }) => scan(where, content))).toEqual([]);
  }
  desk.close();
});

// Without requireSameProfile before a person leaves the desk.
test('whoever leaves a desk takes no work to another profile', async () => {
  const side = await startSide('iris');
  const admin = await createAdministrator(world.server);
  const [{ id }] = await query('select id from staff where alias = $1', [side.alias]);
  const leave = { person: { alias: 'main-desk' }, bringAlong: true };
  const left = await admin.call('PUT', `/manage/staff/${id}`, leave);
  expect([left.status, left.body.error]).toEqual([400, expect.stringContaining('main-desk')]);
  expect(await query('select alias from desk_staff where staff_id = $1', [id])).toEqual([
    { alias: side.alias },
  ]);
});

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
import { type Canaries, Recorder, received, scanner, type Tap } from '../support/firewall.ts';
import { mailSettings } from '../support/mailWorld.ts';
import { createAdministrator, createStaff, type Person } from '../support/people.ts';
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
    const rest = table.startsWith('gateways') ? "false, now() + interval '1 hour'" : 'now()';
    await query(`insert into ${table} values ($1, ${rest})`, [id]);
    await expect(add()).rejects.toThrow('earlier release');
    await query(`delete from ${table.split(' ')[0]} where id = $1`, [id]);
  }
  expect(await query('select slug from profiles')).toEqual([{ slug: 'main' }]);
  await add();
  await expect(add()).rejects.toThrow('already');
  // Without its row, a gateway of the release before does not start, and a worker sends nothing.
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

test('a chat that is older than its link shows its profile as soon as it is opened', async () => {
  const side = await startSide('calendula');
  const tap = await new Recorder().tap(world.server, side.visitor.token, PROTOCOL_VERSION);
  tap.send({ type: 'watch', conversationId: side.conversationId });
  await received(tap, 'watched');
  const names = tap.received.flatMap((frame) =>
    'brand' in frame ? [(frame.brand as { displayName: string }).displayName] : [frame.type],
  );
  expect(names).toEqual([MAIN_NAME, side.shown.name, 'presence', 'watched']);
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
  for (const change of [
    `update conversations set handler_alias = 'main-desk' where id = '${conversationId}'`,
    `update invites set handler_alias = 'main-desk' where handler_alias = '${alias}'`,
    `update handlers set profile = 'main' where alias = '${alias}'`,
  ])
    await expect(query(change)).rejects.toThrow('profile');
});

import { randomUUID } from 'node:crypto';
import type { Dashboard } from '@settee/protocol/model/dashboard';
import type { ManagedProfile } from '@settee/protocol/model/profile';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { foldFigures } from '../../src/dashboard/figures.store.ts';
import { openBrowser } from '../support/browser.ts';
import { LiveClient } from '../support/client.ts';
import {
  createAdministrator,
  createChat,
  createStaff,
  type Person,
  say,
  sendOver,
  watchAs,
} from '../support/people.ts';
import { type PushWorld, startPushWorld } from '../support/pushWorld.ts';

let world: PushWorld;
let admin: Person;
beforeAll(async () => {
  world = await startPushWorld();
  admin = await createAdministrator(world.server);
  await createStaff(world.server, 'main-desk');
});
afterAll(() => world.stop());

const query = async (text: string, values: unknown[] = []) =>
  (await world.server.app.db.pool.query(text, values)).rows;
const ask = async (path: string) => (await admin.call('GET', path)).body;
const create = (displayName: string, more: object = {}) =>
  admin.call('POST', '/manage/profiles', { displayName, ...more });
const listed = async (slug: string): Promise<ManagedProfile | undefined> =>
  (await ask('/manage/profiles')).profiles.find((each: ManagedProfile) => each.slug === slug);
const newInvite = (alias: string) => ({ id: randomUUID(), label: 'Lyon', alias, days: 30, keepDays: null });
const invites = (alias: string) =>
  admin.call('POST', '/manage/invites', { batchId: randomUUID(), attempt: 1, invites: [newInvite(alias)] });
const person = (desk: string, profile: string) => ({
  ...{ name: 'Nia', email: `${randomUUID()}@settee.example`, role: 'handler', alias: desk },
  deskProfiles: { [desk]: profile },
});
const refused = (error: string, code = 'bad_request') => ({ success: false, error, code });

test('a profile begins with a desk, and its settings and picture are its own', async () => {
  const before = (await ask('/manage/profile')).brand;
  expect((await create('Zoë Grün')).body).toMatchObject({ slug: 'zoe-grun', alias: 'zoe-grun' });
  // As after a lost answer.
  expect((await create('Zoë Grün')).body).toEqual(refused('There is already a profile with this name'));
  // The alias is taken, the name is not: each profile may have a desk called like that.
  expect((await create('Grün & Co', { slug: 'co', deskName: 'Zoe Grun' })).body).toMatchObject({
    alias: 'zoe-grun-2',
  });
  expect((await create('غادة')).body.slug).toMatch(/^profile-[a-z0-9]+$/);
  const settings = '/manage/profile?profile=co';
  await admin.call('PUT', settings, { greeting: 'Grüezi', keepDays: 9, waitingMinutes: 2 });
  expect(await ask(settings)).toMatchObject({
    brand: { displayName: 'Grün & Co', greeting: 'Grüezi' },
    settings: { keepDays: 9, waitingMinutes: 2 },
  });
  expect((await ask('/manage/profile')).brand).toEqual(before);
  expect(await listed('co')).toMatchObject({
    ...{ displayName: 'Grün & Co', archivedAt: null, online: false, open: 0, waitingSince: null },
    desks: [{ alias: 'zoe-grun-2', name: 'Zoe Grun', people: [], onDuty: [] }],
  });
  const unknown = refused('This profile does not exist', 'not_found');
  for (const [method, path, body] of [
    ['GET', '/manage/profile?profile=none'],
    ['PUT', '/manage/profile?profile=none', { verified: true }],
    ['PUT', '/manage/profile?profile=none', {}],
    ['DELETE', '/manage/profile/avatar?profile=none'],
    ['POST', '/manage/profiles/none/archive'],
    ['POST', '/manage/profiles/none/unarchive'],
  ] as const)
    expect((await admin.call(method, path, body)).body).toEqual(unknown);
});

test('the list shows who is on duty and what waits, for each desk', async () => {
  await create('Listed', { deskName: 'Listed One' });
  const handler = await createStaff(world.server, 'listed-one');
  const name = (await query("select name from staff where alias = 'listed-one'"))[0].name;
  expect((await listed('listed'))?.desks).toMatchObject([{ people: [name], onDuty: [], online: false }]);
  const chat = await createChat(world.server, 'listed-one');
  await createChat(world.server, 'listed-one');
  const { createdAt } = (await say(chat.visitor, chat.conversationId)).body;
  const socket = await handler.live();
  const shown = { open: 2, waitingSince: createdAt, online: true };
  await expect
    .poll(() => listed('listed'))
    .toMatchObject({ ...shown, desks: [{ alias: 'listed-one', onDuty: [name], ...shown }] });
  await handler.call('PUT', '/handlers/me/availability', { away: true });
  await expect.poll(() => listed('listed')).toMatchObject({ online: false, desks: [{ onDuty: [] }] });
  socket.close();
});

test('[PROFILE-18] an archived profile gets no new desks and invites, and goes on for its visitors', async () => {
  const watching = await admin.live();
  watching.send({ type: 'watchManagement' });
  await create('Gone');
  const handler = await createStaff(world.server, 'gone');
  const [{ link }] = (await invites('gone')).body.links;
  const chat = await createChat(world.server, 'gone');
  watching.received.length = 0;
  expect((await admin.call('POST', '/manage/profiles/gone/archive')).body).toEqual({ success: true });
  await watching.next('managementChanged', ({ topics }) => topics.includes('profile'));
  expect((await listed('gone'))?.archivedAt).not.toBeNull();
  const archived = refused('This profile is archived: it gets no new desks and no new invites');
  expect((await invites('gone')).body).toEqual(archived);
  expect((await admin.call('POST', '/manage/staff', person('gone-two', 'gone'))).body).toEqual(archived);
  expect(await query("select from handlers where alias = 'gone-two'")).toEqual([]);

  expect((await say(chat.visitor, chat.conversationId)).status).toBe(200);
  expect((await say(handler, chat.conversationId)).status).toBe(200);
  const visitor = await openBrowser(world.server);
  expect((await visitor.claim(link.slice(link.lastIndexOf('/') + 1))).body.success).toBe(true);

  await admin.call('POST', '/manage/profiles/gone/unarchive');
  expect((await invites('gone')).body.success).toBe(true);
  const main = refused('The first profile cannot be archived');
  expect((await admin.call('POST', '/manage/profiles/main/archive')).body).toEqual(main);
  watching.close();
});

test('a new desk gets the profile that was chosen, for good', async () => {
  await create('Desks');
  const add = async (desk: string, profile: string) =>
    (await admin.call('POST', '/manage/staff', person(desk, profile))).body;
  expect(await add('desks-two', 'desks')).toMatchObject({ success: true });
  expect(await add('desks-two', 'desks')).toMatchObject({ success: true });
  expect(await add('desks-two', 'main')).toEqual(refused('The desk desks-two belongs to another profile'));
  expect(await add('desks-three', 'none')).toEqual(refused('This profile does not exist'));
  const { profiles } = await ask('/desks');
  expect(profiles).toMatchObject({ desks: 'desks', 'desks-two': 'desks' });
  expect(profiles).not.toHaveProperty('main-desk');
});

test('the console of several profiles gets them, and each change, live', async () => {
  await create('Ada Poe');
  const handler = await createStaff(world.server, 'both-desk');
  const [{ id }] = await query("select id from staff where alias = 'both-desk'");
  const arrive = () =>
    LiveClient.hello(world.server.url, world.server.app.config.publicUrl, handler.browser.token);
  const alone = await arrive();
  expect(await alone.next('welcome')).not.toHaveProperty('profiles');
  await admin.call('PUT', `/manage/staff/${id}`, { person: { desks: ['both-desk', 'ada-poe'] } });
  await alone.until(() => alone.closed !== undefined, 'the socket of one desk stays open');
  expect(alone.received.filter(({ type }) => type === 'profiles')).toEqual([]);

  const socket = await arrive();
  const ada = {
    slug: 'ada-poe',
    displayName: 'Ada Poe',
    avatarUrl: null,
    verified: true,
    desks: ['ada-poe'],
  };
  const profiles = [{ slug: 'main', desks: ['both-desk'], waitingMinutes: 5 }, ada];
  expect(await socket.next('welcome')).toMatchObject({ profiles });
  await admin.call('PUT', '/manage/profile?profile=ada-poe', { displayName: 'Ada P', waitingMinutes: 3 });
  const changed = await socket.next('profiles', (frame) => frame.profiles[1]?.displayName === 'Ada P');
  expect(changed.profiles).toMatchObject([
    { slug: 'main' },
    { ...ada, displayName: 'Ada P', waitingMinutes: 3 },
  ]);

  // A notification says for whom.
  const chat = await createChat(world.server, 'ada-poe');
  await world.subscribe(handler, 'both');
  await say(chat.visitor, chat.conversationId);
  await world.deliver();
  expect(world.service.received('both')).toMatchObject([
    { payload: { title: expect.stringMatching(/^V-.{8} · Ada P$/) } },
  ]);
  const { details } = (await handler.call('GET', `/conversations/${chat.conversationId}/details`)).body;
  expect(details.profile).toMatchObject({ slug: 'ada-poe', displayName: 'Ada P', verified: true });

  // The console lists the closed chats of one profile. That of another person looks like one that does not exist.
  await handler.call('PUT', `/conversations/${chat.conversationId}/status`, { status: 'closed' });
  await create('Not theirs');
  const closedOf = (slug: string) => handler.call('GET', `/queue/closed?profile=${slug}`);
  expect((await closedOf('ada-poe')).body.rows).toMatchObject([{ conversationId: chat.conversationId }]);
  expect((await closedOf('main')).body.rows).toEqual([]);
  const [theirs, nobodys] = [await closedOf('not-theirs'), await closedOf('nobodys')];
  expect([theirs.status, theirs.body]).toEqual([404, nobodys.body]);
  socket.close();
});

test('[PROFILE-19] lists, figures and the audit log can show one profile, and nothing else then', async () => {
  const sides = [];
  for (const slug of ['lists-a', 'lists-b']) {
    await create(slug);
    const handler = await createStaff(world.server, slug);
    const chat = await createChat(world.server, slug);
    const { socket } = await watchAs(chat.visitor, chat.conversationId);
    await sendOver(socket, chat.conversationId, `heron ${slug}`);
    socket.close();
    const closed = await createChat(world.server, slug);
    await say(handler, closed.conversationId, `heron ${slug}`);
    await handler.call('PUT', `/conversations/${closed.conversationId}/status`, { status: 'closed' });
    await admin.call(
      'DELETE',
      `/manage/conversations/${(await createChat(world.server, slug)).conversationId}`,
    );
    sides.push({ slug, ids: [chat.conversationId, closed.conversationId] });
  }
  const main = await createChat(world.server, 'main-desk');
  await say(main.visitor, main.conversationId, 'heron main');
  const figures = async (profile?: string): Promise<Dashboard> =>
    (await ask(`/manage/dashboard?period=today&zone=UTC${profile ? `&profile=${profile}` : ''}`)).dashboard;
  const counted = ({ messages, conversations, invites }: Dashboard) => ({
    ...{ visitors: messages.visitors, replies: messages.replies },
    ...{ conversations: conversations.count, created: invites.created, replied: invites.replied },
  });
  for (const { slug, ids } of sides) {
    const rows = await ask(`/manage/conversations?profile=${slug}`);
    expect(rows.rows.map(({ conversationId }: { conversationId: string }) => conversationId)).toEqual(
      ids.toReversed(),
    );
    expect(rows.counts).toEqual({ open: 1, waiting: 1, closed: 1, blocked: 0 });
    expect(rows.deleted).toMatchObject([{ handlerAlias: slug }]);
    const found = (await ask(`/manage/conversations?profile=${slug}&q=${ids[0]?.slice(0, 8)}`)).rows;
    expect(found).toHaveLength(1);
    expect((await ask(`/manage/conversations?profile=${slug}&alias=main-desk`)).rows).toEqual([]);
    const made = await ask(`/manage/invites?profile=${slug}`);
    expect([made.rows.length, made.counts.BOUND]).toEqual([3, 2]);
    expect((await ask(`/manage/invites?profile=${slug}&state=NEW`)).rows).toEqual([]);
    expect((await ask(`/manage/staff?profile=${slug}`)).people).toMatchObject([{ alias: slug }]);
    const { messages } = await ask(`/manage/messages?q=heron&profile=${slug}`);
    expect(messages.map(({ text }: { text: string }) => text)).toEqual([`heron ${slug}`, `heron ${slug}`]);
    const { entries } = await ask(`/manage/audit?profile=${slug}`);
    const actions = entries.map(({ action }: { action: string }) => action);
    for (const action of ['profile.create', 'handler.create', 'invite.create', 'conversation.close'])
      expect(actions).toContain(action);
    expect(actions).toContain('conversation.erase');
    expect(actions).not.toContain('staff.signIn');
    expect(JSON.stringify(entries)).not.toMatch(slug === 'lists-a' ? 'lists-b' : 'lists-a');
  }
  expect(JSON.stringify(await ask('/manage/audit?profile=main'))).not.toMatch(/lists-[ab]/);
  for (const fold of [false, true]) {
    if (fold) await foldFigures(world.server.app.db);
    for (const { slug, ids } of sides) {
      const one = await figures(slug);
      expect(counted(one)).toEqual({ visitors: 1, replies: 1, conversations: 3, created: 3, replied: 0 });
      expect(one.waiting).toMatchObject({ count: 1, rows: [{ conversationId: ids[0] }] });
      expect(one.handlers.map(({ alias }) => alias)).toEqual([slug]);
    }
    const slugs: string[] = (await ask('/manage/profiles')).profiles.map(({ slug }: ManagedProfile) => slug);
    const each = await Promise.all(slugs.map(async (slug) => Object.entries(counted(await figures(slug)))));
    const sums = Object.entries(counted(await figures())).map(([name], n) => [
      name,
      each.reduce((sum, one) => sum + (one[n]?.[1] ?? 0), 0),
    ]);
    expect(Object.fromEntries(sums)).toEqual(counted(await figures()));
    expect(counted(await figures('main')).visitors).toBeGreaterThan(0);
  }
  expect((await ask('/manage/conversations?profile=none')).rows).toEqual([]);
});

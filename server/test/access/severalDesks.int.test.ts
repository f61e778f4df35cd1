import { randomUUID } from 'node:crypto';
import type { Person as Listed } from '@settee/protocol/calls/peopleCalls';
import type { Desk } from '@settee/protocol/model/staff';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { takeWaitingMails } from '../../src/mail/waitingMails.store.ts';
import { enqueueDuePushes } from '../../src/push/pushDue.store.ts';
import type { LiveClient } from '../support/client.ts';
import { openTransaction } from '../support/openTransaction.ts';
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
});
afterAll(() => world.stop());

const query = async (text: string, values: unknown[]) =>
  (await world.server.app.db.pool.query(text, values)).rows;
const idAt = async (alias: string): Promise<string> =>
  (await query('select id from staff where alias = $1', [alias]))[0].id;
const change = async (id: string, person: object) =>
  (await admin.call('PUT', `/manage/staff/${id}`, { person })).body;

/** A handler at the first two of three desks. Each has a chat with a message. */
async function stand(name: string) {
  const desks = ['a', 'b', 'c'].map((letter) => `${name}-${letter}`);
  const [first = '', second = '', third = ''] = desks;
  const handler = await createStaff(world.server, first);
  const id = await idAt(first);
  // A colleague at each: no desk loses its last person.
  await Promise.all(desks.map((desk) => createStaff(world.server, desk)));
  expect(await change(id, { desks: [first, second] })).toEqual({ success: true });
  const chats = [];
  for (const desk of desks) {
    const chat = await createChat(world.server, desk);
    await say(chat.visitor, chat.conversationId, `heron ${desk}`);
    chats.push({ ...chat, path: `/conversations/${chat.conversationId}` });
  }
  const [one, two, three] = chats;
  if (!one || !two || !three) throw new Error('three desks have three chats');
  return { handler, id, first, second, third, one, two, three };
}

async function watchAll(handler: Person): Promise<LiveClient> {
  const socket = await handler.live();
  socket.send({ type: 'watchQueue', paged: true, desks: true });
  return socket;
}

test('[P-02] [S-10] a handler of two desks works at both, and a third does not exist for them', async () => {
  const { handler, first, second, third, one, two, three } = await stand('two');
  const rows = [
    { conversationId: two.conversationId, alias: second },
    { conversationId: one.conversationId, alias: first },
  ];
  expect((await handler.call('GET', '/queue')).body.rows).toMatchObject(rows);
  const found = (await handler.call('GET', '/search?q=heron')).body.messages;
  expect(found.map(({ handlerAlias }: { handlerAlias: string }) => handlerAlias)).toEqual([second, first]);
  const text = { id: randomUUID(), text: 'hello' };
  const acts: [method: string, path: string, body?: object][] = [
    ['GET', ''],
    ['GET', '/messages'],
    ['GET', '/notes'],
    ['GET', '/details'],
    ['POST', '/continueCode'],
    ['POST', '/messages', text],
    ['POST', '/notes', text],
    ['PUT', '/unread', { unread: true }],
    ['PUT', '/snooze', { until: null }],
    ['PUT', '/status', { status: 'closed' }],
  ];
  for (const [method, rest, body] of acts) {
    const act = (path: string) =>
      handler.call(method, path + rest, body && { ...body, ...('id' in body && { id: randomUUID() }) });
    for (const { path } of [one, two]) expect([rest, (await act(path)).status]).toEqual([rest, 200]);
    const [theirs, nobodys] = [await act(three.path), await act(`/conversations/${randomUUID()}`)];
    expect([rest, theirs.status, theirs.body]).toEqual([rest, 404, nobodys.body]);
  }
  expect((await handler.call('GET', '/queue')).body.rows).toEqual([]);
  expect((await handler.call('GET', '/queue/closed')).body.rows).toMatchObject(rows);
  const closedAt = (desk: string) => handler.call('GET', `/queue/closed?alias=${desk}`);
  expect((await closedAt(second)).body.rows).toMatchObject([{ conversationId: two.conversationId }]);
  const [theirs, nobodys] = [await closedAt(third), await closedAt('nobodys-desk')];
  expect([theirs.status, theirs.body]).toEqual([404, nobodys.body]);
  expect((await handler.call('PUT', `/handlers/me/desks/${third}`, { off: true })).status).toBe(404);
});

test('[S-10] a console of two desks gets both queues, and each frame names its desk', async () => {
  const { handler, first, second, three, one, two } = await stand('live');
  const socket = await watchAll(handler);
  for (const [alias, { conversationId }] of [
    [first, one],
    [second, two],
  ] as const)
    expect((await socket.next('queue', (frame) => frame.alias === alias)).rows).toMatchObject([
      { conversationId },
    ]);
  socket.send({ type: 'watch', conversationId: two.conversationId });
  await socket.next('watched');
  await sendOver(socket, two.conversationId, 'from the second desk');
  await socket.next('queueChange', ({ alias, rows }) => alias === second && rows[0]?.head === 2);
  await handler.call('POST', `${two.path}/transfer`, { alias: first, note: '' });
  await socket.next(
    'queueChange',
    ({ alias, gone }) => alias === second && gone.includes(two.conversationId),
  );
  await socket.next('queueChange', ({ alias, rows }) => alias === first && rows.length > 0);
  // It is still within reach.
  await sendOver(socket, two.conversationId, 'from the first desk');
  await say(three.visitor, three.conversationId);
  socket.send({ type: 'watch', conversationId: three.conversationId });
  await socket.next('refused', ({ code }) => code === 'not_found');
  expect(JSON.stringify(socket.received)).not.toContain(three.conversationId);
  // A page of an earlier release asks for one.
  const old = await handler.live();
  old.send({ type: 'watchQueue' });
  expect(await old.next('queue')).not.toHaveProperty('alias');
  socket.close();
  old.close();
});

async function onlineOf(person: Person, aliases: string[]): Promise<string[]> {
  const { desks } = (await person.call('GET', '/desks')).body;
  return aliases.filter((alias) => desks.some((desk: Desk) => desk.alias === alias && desk.online));
}

test('[QUEUE-28] a page of an earlier release makes only its first desk online, whose queue it shows', async () => {
  const { handler, first, second, third } = await stand('shown');
  const old = await handler.live();
  old.send({ type: 'watchQueue' });
  await old.next('queue');
  // Whoever comes later is written later.
  const later = await (await createStaff(world.server, third)).live();
  const online = () => onlineOf(handler, [first, second, third]);
  await expect.poll(async () => (await online()).at(-1)).toBe(third);
  expect(await online()).toEqual([first, third]);
  const current = await watchAll(handler);
  await expect.poll(online).toEqual([first, second, third]);
  for (const socket of [old, later, current]) socket.close();
});

test('[QUEUE-28] off duty at a desk: nobody is online there, and it notifies nobody', async () => {
  const { handler, id, first, second, two } = await stand('off');
  const { db, config } = world.server.app;
  const online = () => onlineOf(handler, [first, second]);
  const { socket: visitor } = await watchAs(two.visitor, two.conversationId);
  const socket = await watchAll(handler);
  await visitor.next('presence', (frame) => frame.online);
  expect(await online()).toEqual([first, second]);
  await handler.call('PUT', '/push/subscription', world.service.subscription(id));
  await query('update staff set waiting_mail = true where id = $1', [id]);
  const due = async () => {
    await say(two.visitor, two.conversationId);
    await query(`update push_due set due_at = now() where conversation_id = $1`, [two.conversationId]);
    await query(
      `update conversations set waiting_since = now() - interval '1 hour', waiting_mailed_since = null where id = $1`,
      [two.conversationId],
    );
    await query('update staff set waiting_mailed_at = null', []);
    const { jobs } = await enqueueDuePushes(db, config.secondFactor, 10);
    return { jobs, mailed: (await takeWaitingMails(db)).includes(id) };
  };
  await query('update conversations set waiting_since = null where handler_alias <> $1', [second]);
  expect(await due()).toEqual({ jobs: 1, mailed: true });

  const desk = `/handlers/me/desks/${second}`;
  expect((await handler.call('PUT', desk, { off: true })).body).toEqual({ success: true, off: true });
  const desks = [
    { alias: first, off: false },
    { alias: second, off: true },
  ];
  expect(await socket.next('availability')).toEqual({ type: 'availability', away: false, desks });
  await visitor.next('presence', (frame) => !frame.online);
  await expect.poll(online).toEqual([first]);
  expect(await due()).toEqual({ jobs: 0, mailed: false });
  // The queue still shows it.
  await socket.next('queueChange', ({ alias, rows }) => alias === second && rows[0]?.head === 3);
  // Off duty at every desk is away.
  const isAway = async () =>
    (await admin.call('GET', `/manage/staff?q=${first}`)).body.people.find(
      (person: Listed) => person.id === id,
    )?.away;
  expect(await isAway()).toBe(false);
  await handler.call('PUT', `/handlers/me/desks/${first}`, { off: true });
  expect(await isAway()).toBe(true);
  await handler.call('PUT', `/handlers/me/desks/${first}`, { off: false });
  await handler.call('PUT', desk, { off: false });
  await visitor.next('presence', (frame) => frame.online);
  // The only desk is never off.
  await handler.call('PUT', desk, { off: true });
  await change(id, { desks: [second] });
  expect(await query('select alias, off from desk_staff where staff_id = $1', [id])).toEqual([
    { alias: second, off: false },
  ]);
  visitor.close();
});

test('[QUEUE-28] the only desk is not off, also if the other one is taken away at that moment', async () => {
  const { handler, id, second } = await stand('only');
  const heldDesks = () => query('select alias, off from desk_staff where staff_id = $1', [id]);
  const switchOff = (off: boolean) => handler.call('PUT', `/handlers/me/desks/${second}`, { off });
  const removal = await openTransaction(world.server);
  await removal.query('update staff set alias = $2 where id = $1', [id, second]);
  let isDone = false;
  const switched = switchOff(true).finally(() => {
    isDone = true;
  });
  const waiting =
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(async () => isDone || (await query(waiting, [])).length > 0).toBe(true);
  await removal.commit();
  await switched;
  expect(await heldDesks()).toEqual([{ alias: second, off: false }]);
  // If it is, the person can switch it on.
  await query('update desk_staff set off = true where staff_id = $1', [id]);
  await switchOff(false);
  expect(await heldDesks()).toEqual([{ alias: second, off: false }]);
});

test('[AUTH-03] who loses one of two desks keeps the other, also by a gateway of the release before', async () => {
  const { handler, id, first, second, third, one, two } = await stand('lost');
  const { socket } = await watchAs(handler, two.conversationId);
  await change(id, { desks: [first] });
  await socket.until(() => socket.closed?.reason === 'role changed', 'the socket stays open');
  expect((await handler.call('GET', two.path)).status).toBe(404);
  expect((await handler.call('GET', one.path)).status).toBe(200);
  const desksOf = async () =>
    (await query('select alias from desk_staff where staff_id = $1 order by alias', [id])).map(
      ({ alias }) => alias,
    );
  await change(id, { desks: [first, second] });
  await query('update staff set alias = $2 where id = $1', [id, third]);
  expect(await desksOf()).toEqual([second, third]);
  expect((await handler.call('GET', one.path)).status).toBe(404);
  await change(id, { alias: first });
  expect(await desksOf()).toEqual([first, second]);
  await query("update staff set alias = null, role = 'admin' where id = $1", [id]);
  expect(await desksOf()).toEqual([]);
});

test('[ADMIN-41] none of several desks with work loses its last person', async () => {
  const [first, second] = [`last-${randomUUID().slice(0, 8)}`, `sole-${randomUUID().slice(0, 8)}`];
  const email = `${first}@settee.example`;
  const desks = [first, second];
  const person = {
    name: 'Sole',
    email,
    role: 'handler',
    alias: first,
    desks,
    deskNames: { [second]: 'Sole Desk' },
  };
  const { id } = (await admin.call('POST', '/manage/staff', person)).body;
  await createChat(world.server, second);
  const listed = (await admin.call('GET', `/manage/staff?q=sole%20desk`)).body.people;
  expect(listed).toMatchObject([{ id, alias: first, desks, open: 1 }]);
  const refused = { success: false, code: 'desk_in_use' };
  expect(await change(id, { desks: [first] })).toMatchObject(refused);
  expect((await admin.call('POST', `/manage/staff/${id}/deactivate`)).body).toMatchObject(refused);
  expect((await admin.call('GET', `/manage/staff/${id}/leaving`)).body).toEqual({
    ...{ success: true, conversations: 1, invites: 0 },
    desks: [
      { alias: first, conversations: 0, invites: 0 },
      { alias: second, conversations: 1, invites: 0 },
    ],
  });
  expect((await admin.call('PUT', `/manage/staff/${id}`, { person: { alias: second, desks } })).status).toBe(
    400,
  );
  expect(await change(id, { desks: [second] })).toEqual({ success: true });
});

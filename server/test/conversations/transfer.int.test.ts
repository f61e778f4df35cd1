import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { transfer } from '../../src/conversations/handOver.ts';
import type { App } from '../../src/platform/app.ts';
import type { Staff } from '../../src/platform/ports/caller.ts';
import { callerFromIdToken } from '../../src/staff/callers.ts';
import type { LiveClient } from '../support/client.ts';
import { deafBus } from '../support/deafBus.ts';
import { fakeClock } from '../support/fakeClock.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';
import { holdAnswer } from '../support/heldQueries.ts';
import {
  createAdministrator,
  createChat,
  createStaff,
  type Person,
  sendOver,
  settled,
  watchAs,
  watchQueue,
} from '../support/people.ts';

// No sweep: only the announcement notifies.
let server: TestServer;
let elsewhere: string;
// Another gateway can lose hints and sweeps when the test says so.
const SWEEP_SECONDS = 10;
const bus = deafBus();
const silence = { handedOver() {}, managementChanged() {} };
const clock = fakeClock(Date.now());
let deaf: string;
let deafApp: App;
beforeAll(async () => {
  server = await startTestServer({
    config: { sweepSeconds: 3_600, sendBurst: 1_000, sendPerSecond: 1_000 },
  });
  elsewhere = (await server.startAnother()).url;
  const { url, app } = await server.startAnother({
    clock,
    throughBus: bus.through,
    config: { sweepSeconds: SWEEP_SECONDS },
  });
  deaf = url;
  deafApp = app;
});
beforeEach(() => {
  bus.deaf = false;
});
afterAll(() => server.close());

const everywhere = <T>(open: (url: string) => Promise<T>): Promise<T[]> =>
  Promise.all([server.url, elsewhere].map(open));

const handOver = (person: Person, conversationId: string, alias: string, note = '') =>
  person.call('POST', `/conversations/${conversationId}/transfer`, { alias, note });

test('[CONSOLE-28] a hand-over ends the old desk’s access at once and gives the new desk the row and the note', async () => {
  const [old, heir, admin] = [
    await createStaff(server, 't-old'),
    await createStaff(server, 't-heir'),
    await createAdministrator(server),
  ];
  const { visitor, conversationId, token } = await createChat(server, 't-old');
  const path = `/conversations/${conversationId}`;
  const visitors = await everywhere((url) => watchAs(visitor, conversationId, url));
  const oldRooms = await everywhere(async (url) => (await watchAs(old, conversationId, url)).socket);
  const adminRooms = await everywhere(async (url) => (await watchAs(admin, conversationId, url)).socket);
  const oldDesks = await everywhere(async (url) => (await watchQueue(old, url)).socket);
  const newDesks = await everywhere(async (url) => (await watchQueue(heir, url)).socket);
  const [near] = visitors;
  if (near === undefined) throw new Error('no visitor');
  await sendOver(near.socket, conversationId, 'before');
  for (const desk of oldDesks) await desk.next('queueChange', ({ rows }) => rows[0]?.head === 1);
  const before = (await visitor.call('GET', path)).body.conversation;
  // A gateway reports late who is online if its database is slow.
  for (const { socket } of visitors) await socket.next('presence', ({ online }) => online);
  for (const { socket } of visitors) await settled(socket);
  for (const { socket } of visitors) socket.received.length = 0;

  const done = await handOver(old, conversationId, 't-heir', '  She asked for you.  ');
  expect(done.body).toEqual({ success: true });

  for (const socket of oldRooms) expect(await socket.next('gone')).toEqual({ type: 'gone', conversationId });
  for (const desk of oldDesks) expect((await desk.next('queueChange')).gone).toEqual([conversationId]);
  for (const desk of newDesks) {
    const { rows } = await desk.next('queueChange');
    expect(rows).toEqual((await heir.call('GET', '/queue')).body.rows);
    expect(rows).toEqual([
      expect.objectContaining({ conversationId, markedUnread: true, lastMessage: 'before' }),
    ]);
  }
  const { notes } = (await heir.call('GET', `${path}/notes`)).body;
  expect(notes).toEqual([
    expect.objectContaining({
      author: 'Handler',
      afterSeq: 1,
      text: 'She asked for you.',
      handover: { from: 't-old', to: 't-heir' },
    }),
  ]);
  // Members who can still read it are notified; the others are not.
  for (const socket of adminRooms) {
    expect((await socket.next('note')).note).toEqual(notes[0]);
    expect((await socket.next('conversation')).conversation).toMatchObject({ handlerAlias: 't-heir' });
  }
  for (const socket of oldRooms) {
    await settled(socket);
    expect(socket.received.filter((frame) => frame.type !== 'message' && frame.type !== 'presence')).toEqual(
      [],
    );
  }
  // The visitor receives nothing: a frame with only a new revision would reveal the transfer.
  for (const { socket } of visitors) {
    await settled(socket);
    expect(socket.received).toEqual([]);
  }

  // The old desk, on existing sockets and over HTTP.
  for (const socket of oldRooms) {
    socket.received.length = 0;
    socket.send({ type: 'typing', conversationId });
    socket.send({ type: 'seen', conversationId, seq: 1 });
    socket.send({ type: 'send', conversationId, id: randomUUID(), text: 'Not mine any more' });
    expect(await socket.next('refused')).toMatchObject({ code: 'not_found', conversationId });
    socket.send({ type: 'range', conversationId, after: 0 });
    expect(await socket.next('refused')).toMatchObject({ code: 'not_found' });
    socket.send({ type: 'watch', conversationId });
    expect(await socket.next('refused')).toMatchObject({ code: 'not_found' });
    expect(socket.received).toEqual([]);
  }
  for (const [method, rest, body] of [
    ['GET', '', undefined],
    ['GET', '/messages', undefined],
    ['POST', '/messages', { id: randomUUID(), text: 'by post' }],
    ['PUT', '/status', { status: 'closed' }],
    ['GET', '/notes', undefined],
    ['POST', '/notes', { id: randomUUID(), text: 'note' }],
    ['POST', '/transfer', { alias: 't-old', note: '' }],
    ['POST', '/continueCode', undefined],
    ['GET', '/details', undefined],
    ['PUT', '/unread', { unread: true }],
  ] as const) {
    const reply = await old.call(method, path + rest, body);
    expect([rest, reply.status]).toEqual([rest, 404]);
  }
  expect((await visitor.call('GET', path)).body.conversation).toEqual(before);
  for (const { socket } of visitors) {
    await settled(socket);
    expect(socket.received).toEqual([]);
  }

  // The new desk works: it gets messages from either gateway at both, and the visitor gets its answers.
  const newRooms = await everywhere((url) => watchAs(heir, conversationId, url));
  for (const [at, { socket }] of visitors.entries()) {
    await sendOver(socket, conversationId, `after ${at}`);
    for (const room of newRooms) expect((await room.socket.next('message')).message.text).toBe(`after ${at}`);
    for (const desk of newDesks) await desk.next('queueChange', ({ rows }) => rows[0]?.head === 2 + at);
  }
  await sendOver(newRooms[1]?.socket as LiveClient, conversationId, 'Good day');
  for (const { socket } of visitors) {
    const { message } = await socket.next('message', ({ message: { seq } }) => seq === 4);
    expect(message).toMatchObject({ sender: 'owner', text: 'Good day' });
  }
  // A code from the new desk lets in another device, under the same link.
  const { continueCode } = (await heir.call('POST', `${path}/continueCode`)).body;
  const attached = await (await createChat(server, 't-elsewhere')).visitor.browser.attach(
    token,
    continueCode,
  );
  expect(attached.body).toMatchObject({ success: true, conversationId });

  const { rows: audit } = await server.app.db.pool.query(
    "select action, details from audit where target = $1 and action = 'conversation.transfer'",
    [conversationId],
  );
  expect(audit).toEqual([{ action: 'conversation.transfer', details: { from: 't-old', to: 't-heir' } }]);
  const open = [...oldRooms, ...adminRooms, ...oldDesks, ...newDesks];
  for (const socket of [...open, ...[...visitors, ...newRooms].map((each) => each.socket)]) socket.close();
});

test('[CONSOLE-28] a gateway that missed the hand-over still accepts nothing from the old desk', async () => {
  const old = await createStaff(server, 't-deaf');
  const heir = await createStaff(server, 't-heir');
  const { visitor, conversationId } = await createChat(server, 't-deaf');
  const { socket: writing } = await watchAs(visitor, conversationId);
  await sendOver(writing, conversationId, 'hello');
  const { socket } = await watchAs(old, conversationId);
  await settled(socket);
  const silent = { ...server.app, announce: { ...server.app.announce, ...silence } };
  const { caller } = await callerFromIdToken(server.app, old.browser.token);
  await transfer(silent, caller as Staff, conversationId, { alias: 't-heir', note: 'quietly' });

  socket.received.length = 0;
  socket.send({ type: 'seen', conversationId, seq: 1 });
  socket.send({ type: 'send', conversationId, id: randomUUID(), text: 'late' });
  expect(await socket.next('refused')).toMatchObject({ code: 'not_found' });
  expect((await heir.call('GET', `/conversations/${conversationId}`)).body.conversation.ownerSeen).toBe(0);
  await heir.call('POST', `/conversations/${conversationId}/notes`, {
    id: randomUUID(),
    text: 'for us only',
  });
  await settled(socket);
  expect(socket.received.filter((frame) => frame.type === 'note')).toEqual([]);
  writing.close();
  socket.close();
});

test('[CONSOLE-28] a gateway that freezes during a hand-over does not keep the conversation', async () => {
  const { rows } = await server.app.db.pool.query('show idle_in_transaction_session_timeout');
  expect(rows).toEqual([{ idle_in_transaction_session_timeout: '5s' }]);
});

test('[CONSOLE-28] messages, notes, authors, details and devices that are read during a hand-over do not reach the old desk', async () => {
  const [old, admin] = [await createStaff(server, 't-reads'), await createAdministrator(server)];
  await createStaff(server, 't-takes');
  const { visitor, conversationId } = await createChat(server, 't-reads');
  const { socket } = await watchAs(visitor, conversationId);
  const room = await old.live();
  const call = async (what: string) =>
    (await old.call('GET', `/conversations/${conversationId}/${what}`)).body.code;
  const overSocket = async () => {
    room.send({ type: 'range', conversationId, after: 0 });
    return (await room.next('refused')).code;
  };
  const calls = ['messages', 'notes', 'authors?from=1&to=9', 'details', 'devices'];
  for (const read of [overSocket, ...calls.map((what) => () => call(what))]) {
    const held = holdAnswer(server.app, 'conversation-for-desk');
    const answer = read();
    await held.asked;
    await handOver(admin, conversationId, 't-takes');
    await sendOver(socket, conversationId, 'for the new desk');
    held.release();
    expect(await answer).toBe('not_found');
    await handOver(admin, conversationId, 't-reads');
  }
  for (const each of [socket, room]) each.close();
});

test('[CONSOLE-28] refused: no desk, the same desk, twice at once', async () => {
  const handler = await createStaff(server, 't-from');
  const colleague = await createStaff(server, 't-from');
  for (const alias of ['t-to', 't-other']) await createStaff(server, alias);
  const { conversationId } = await createChat(server, 't-from');
  for (const alias of ['t-from', 't-nowhere', 'Not an alias']) {
    const reply = await handOver(handler, conversationId, alias);
    expect([reply.status, reply.body.code]).toEqual([400, 'bad_request']);
    expect(reply.body.error).not.toBe('The request is not understood');
  }
  expect((await handOver(handler, randomUUID(), 't-to')).status).toBe(404);
  await handler.call('PUT', `/conversations/${conversationId}/status`, { status: 'closed' });

  const replies = await Promise.all([
    handOver(handler, conversationId, 't-to'),
    handOver(colleague, conversationId, 't-other'),
  ]);
  expect(replies.map((reply) => reply.status).sort((a, b) => a - b)).toEqual([200, 404]);
  const { rows } = await server.app.db.pool.query(
    `select handler_alias, status, (select count(*)::integer from notes where conversation_id = c.id) as notes
     from conversations c where id = $1`,
    [conversationId],
  );
  const to = replies[0]?.status === 200 ? 't-to' : 't-other';
  expect(rows).toEqual([{ handler_alias: to, status: 'closed', notes: 1 }]);
});

/**
 * Expects this after one or more sweeps: a sweep that is due while another runs is skipped. Not too many, because the
 * tokens of the sockets end after an hour.
 */
const swept = <T>(look: () => T) =>
  expect.poll(
    () => {
      clock.advance(SWEEP_SECONDS * 1_000);
      return look();
    },
    { interval: 500 },
  );

const addNote = (person: Person, conversationId: string, text: string) =>
  person.call('POST', `/conversations/${conversationId}/notes`, { id: randomUUID(), text });

const textsOf = (socket: LiveClient): string[] =>
  socket.received.flatMap((frame) => (frame.type === 'message' ? frame.message.text : []));

const notesOf = (socket: LiveClient): string[] =>
  socket.received.flatMap((frame) => (frame.type === 'note' ? frame.note.text : []));

test('[CONSOLE-28] if the hints of a hand-over are lost, the old desk receives nothing written after it', async () => {
  const [old, heir, admin] = [
    await createStaff(server, 'lost-old'),
    await createStaff(server, 'lost-heir'),
    await createAdministrator(server),
  ];
  const { visitor, conversationId } = await createChat(server, 'lost-old');
  const { socket: writing } = await watchAs(visitor, conversationId);
  // The visitor first, so that the room notices the transfer before it reaches the old desk's socket.
  const { socket: visiting } = await watchAs(visitor, conversationId, deaf);
  const { socket: leaving } = await watchAs(old, conversationId, deaf);
  const { socket: overseeing } = await watchAs(admin, conversationId, deaf);
  await sendOver(writing, conversationId, 'before');
  for (const socket of [visiting, leaving, overseeing]) await socket.next('message');

  bus.deaf = true;
  await handOver(old, conversationId, 'lost-heir');
  const { socket: answering } = await watchAs(heir, conversationId);
  await sendOver(writing, conversationId, 'What now?');
  await sendOver(answering, conversationId, 'I am here.');
  // However long the checks of all members take.
  const round = holdAnswer(deafApp, 'conversation-for-visitor');
  clock.advance(SWEEP_SECONDS * 1_000);
  await round.asked;
  for (const socket of [visiting, leaving]) {
    await settled(socket);
    expect(textsOf(socket)).toEqual([]);
  }
  round.release();
  await leaving.next('gone');
  expect(textsOf(leaving)).toEqual([]);
  for (const socket of [visiting, overseeing]) {
    await socket.next('message', ({ message }) => message.seq === 3);
    expect(textsOf(socket)).toEqual(['What now?']);
  }
  // From here on it has subscribed to the new desk.
  bus.deaf = false;
  await sendOver(answering, conversationId, 'Still here.');
  for (const socket of [visiting, overseeing]) {
    expect((await socket.next('message', ({ message }) => message.seq > 2)).message.text).toBe('Still here.');
    expect(textsOf(socket)).toEqual(['What now?']);
  }
  await settled(leaving);
  expect(textsOf(leaving)).toEqual([]);
  for (const socket of [writing, visiting, leaving, overseeing, answering]) socket.close();
});

test('[CONSOLE-28] a message at the gateway of the hand-over waits until the old desk has left the room', async () => {
  const old = await createStaff(server, 'near-old');
  const heir = await createStaff(server, 'near-heir');
  const { visitor, conversationId } = await createChat(server, 'near-old');
  const { socket: writing } = await watchAs(visitor, conversationId);
  const { socket: visiting } = await watchAs(visitor, conversationId);
  const { socket: leaving } = await watchAs(old, conversationId);
  // Nobody here has been notified yet.
  const silent = { ...server.app, announce: { ...server.app.announce, ...silence } };
  const { caller } = await callerFromIdToken(server.app, old.browser.token);
  await transfer(silent, caller as Staff, conversationId, { alias: 'near-heir', note: '' });
  for (let at = 1; at <= 20; at += 1) {
    writing.send({ type: 'send', conversationId, id: randomUUID(), text: `${at}` });
  }
  const all = Array.from({ length: 20 }, (_, at) => `${at + 1}`);
  await expect.poll(() => textsOf(visiting)).toEqual(all);
  await leaving.next('gone');
  await settled(leaving);
  expect(textsOf(leaving)).toEqual([]);
  const { socket: arriving, watched } = await watchAs(heir, conversationId);
  expect(watched.messages.map(({ text }) => text)).toEqual(all);
  await sendOver(writing, conversationId, 'more');
  expect((await arriving.next('message')).message).toMatchObject({ seq: 21, text: 'more' });
  for (const socket of [writing, visiting, leaving, arriving]) socket.close();
});

test('[CONSOLE-28] a socket that enters on a check from before the hand-over is removed after it', async () => {
  const old = await createStaff(server, 'race-old');
  await createStaff(server, 'race-heir');
  const admin = await createAdministrator(server);
  const { visitor, conversationId } = await createChat(server, 'race-old');
  const { socket: visiting } = await watchAs(visitor, conversationId);
  const late = await old.live();
  const look = holdAnswer(server.app, 'conversation-for-desk');
  late.send({ type: 'watch', conversationId });
  await look.asked;
  const round = holdAnswer(server.app, 'conversation-for-visitor');
  await handOver(admin, conversationId, 'race-heir');
  await round.asked;
  look.release();
  expect(await late.next('refused')).toMatchObject({ code: 'not_found', conversationId });
  round.release();
  await sendOver(visiting, conversationId, 'Who is there?');
  await settled(late);
  expect(late.received.filter((frame) => frame.type !== 'presence')).toEqual([]);
  for (const socket of [visiting, late]) socket.close();
});

test('[AUTH-03] a device that connects while its removal is announced is removed as well', async () => {
  await createStaff(server, 'race-device');
  const { visitor, conversationId, token, code } = await createChat(server, 'race-device');
  const { visitor: second } = await createChat(server, 'race-device');
  await second.browser.attach(token, code);
  await second.browser.signIn();
  const { socket: staying } = await watchAs(visitor, conversationId);
  const late = await second.live();
  const look = holdAnswer(server.app, 'conversation-for-visitor');
  late.send({ type: 'watch', conversationId });
  await look.asked;
  await server.app.db.pool.query(
    'with gone as (update devices set revoked_at = now() where conversation_id = $1 and not first) update conversations set rev = rev + 1 where id = $1',
    [conversationId],
  );
  const round = holdAnswer(server.app, 'conversation-for-visitor');
  server.app.announce.conversationChanged({ id: conversationId, handlerAlias: 'race-device' });
  await round.asked;
  look.release();
  await late.next('watched');
  round.release();
  expect(await late.next('gone')).toEqual({ type: 'gone', conversationId });
  for (const socket of [staying, late]) socket.close();
});

test('[CONSOLE-20] a note whose hint was lost is found, whatever was received before and after it', async () => {
  const handler = await createStaff(server, 'lost-note');
  const { conversationId } = await createChat(server, 'lost-note');
  await addNote(handler, conversationId, 'read by the console itself');
  const { socket } = await watchAs(handler, conversationId, deaf);
  // Before the first sweep.
  bus.deaf = true;
  await addNote(handler, conversationId, 'first');
  await swept(() => notesOf(socket)).toEqual(['first']);

  // The next sweep has begun, so none is running that could find the next note. It continues at the end.
  const sweep = holdAnswer(deafApp, 'conversation-heads');
  let held = false;
  void sweep.asked.then(() => {
    held = true;
  });
  await swept(() => held).toBe(true);
  await addNote(handler, conversationId, 'second');
  const hints = () => bus.lost.filter((subject) => subject.endsWith(conversationId));
  await expect.poll(hints).toHaveLength(2);
  bus.deaf = false;
  await addNote(handler, conversationId, 'third');
  await expect.poll(() => notesOf(socket)).toContain('third');
  expect(notesOf(socket)).not.toContain('second');
  sweep.release();
  // A note may arrive again: a console recognises it by its id.
  await swept(() => [...new Set(notesOf(socket))].sort()).toEqual(['first', 'second', 'third']);
  socket.close();
});

test('the sweep finds a mark as unread whose hint was lost', async () => {
  const handler = await createStaff(server, 'lost-mark');
  const { conversationId } = await createChat(server, 'lost-mark');
  const { socket: desk } = await watchQueue(handler, deaf);
  bus.deaf = true;
  for (const unread of [true, false]) {
    await handler.call('PUT', `/conversations/${conversationId}/unread`, { unread });
    const rows = () => desk.received.flatMap((frame) => (frame.type === 'queueChange' ? frame.rows : []));
    await swept(() => rows().at(-1)).toMatchObject({ conversationId, markedUnread: unread });
  }
  desk.close();
});

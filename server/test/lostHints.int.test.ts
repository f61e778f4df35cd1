import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { transfer } from '../src/actions/conversation/handOver.ts';
import type { App } from '../src/app.ts';
import { callerFromIdToken } from '../src/auth/callers.ts';
import type { Staff } from '../src/caller.ts';
import type { LiveClient } from './client.ts';
import { deafBus } from './deafBus.ts';
import { fakeClock } from './fakeClock.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { holdAnswer } from './heldQueries.ts';
import { createAdministrator, createChat, createStaff, type Person, sendOver, watchAs } from './people.ts';

// One gateway where changes happen, and one that can lose hints and sweeps when the test says so.
const SWEEP_SECONDS = 10;
const bus = deafBus();
const clock = fakeClock(Date.now());
let server: TestServer;
let deaf: string;
let deafApp: App;
beforeAll(async () => {
  server = await startTestServer({ config: { sweepSeconds: 3_600 } });
  const { url, app } = await server.startAnother({
    clock,
    throughBus: bus.through,
    config: { sweepSeconds: SWEEP_SECONDS },
  });
  // The gateway checks tokens with its own clock.
  expect(Math.abs(app.clock.now() - Date.now())).toBeLessThan(60_000);
  deaf = url;
  deafApp = app;
});
beforeEach(() => {
  bus.deaf = false;
});
afterAll(() => server.close());

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

async function settled(socket: LiveClient): Promise<void> {
  socket.send({ type: 'ping' });
  await socket.next('pong');
}

const handOver = (person: Person, conversationId: string, alias: string) =>
  person.call('POST', `/conversations/${conversationId}/transfer`, { alias, note: 'Yours now' });

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
  await new Promise((later) => setTimeout(later, 300));
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
  const silent = { ...server.app, announce: { ...server.app.announce, handedOver: () => {} } };
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
  const desk = await handler.live(deaf);
  desk.send({ type: 'watchQueue' });
  await desk.next('queue');
  bus.deaf = true;
  for (const unread of [true, false]) {
    await handler.call('PUT', `/conversations/${conversationId}/unread`, { unread });
    const rows = () => desk.received.flatMap((frame) => (frame.type === 'queueChange' ? frame.rows : []));
    await swept(() => rows().at(-1)).toMatchObject({ conversationId, markedUnread: unread });
  }
  desk.close();
});

test('[MSG-09] a console that opens a queue while another leaves it keeps receiving updates', async () => {
  const handler = await createStaff(server, 'lost-desk');
  const [first, second, third] = [
    await handler.live(deaf),
    await handler.live(deaf),
    await handler.live(deaf),
  ];
  first.send({ type: 'watchQueue' });
  await first.next('queue');
  const listening = Promise.withResolvers<void>();
  bus.busy = listening.promise;
  second.send({ type: 'watchQueue' });
  third.send({ type: 'watchQueue' });
  for (const socket of [second, third]) {
    socket.send({ type: 'ping' });
    await new Promise((soon) => setTimeout(soon, 50));
  }
  first.close();
  await first.until(() => first.closed !== undefined, 'still open');
  // The gateway reads its close when it has handled the frame before it.
  third.close();
  bus.busy = undefined;
  listening.resolve();
  await second.next('queue');
  const { conversationId } = await createChat(server, 'lost-desk');
  await expect
    .poll(() => {
      clock.advance(100);
      return second.received.flatMap((frame) => (frame.type === 'queueChange' ? frame.rows : []));
    })
    .toContainEqual(expect.objectContaining({ conversationId }));
  second.close();
});

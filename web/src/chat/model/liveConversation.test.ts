import type { Down } from '@settee/protocol/frames/down';
import type { Up } from '@settee/protocol/frames/up';
import { expect, test } from 'vitest';
import { aLive } from '../../../test/aLive.ts';
import { aConversation } from '../../../test/chats.ts';
import { fakeClock } from '../../../test/fakeClock.ts';
import { anUnsent } from '../../../test/unsent.ts';
import type { LiveStatus } from '../../net/live.ts';
import { memoryOutbox } from '../outbox/outbox.ts';
import { guard } from './guard.ts';
import { startLiveConversation } from './liveConversation.ts';

const ID = 'c0000000-0000-4000-8000-000000000000';

/** A connection that the test opens, cuts and sends through. */
function fakeLine() {
  const sent: Up[] = [];
  const probes: number[] = [];
  let status: LiveStatus = 'connecting';
  let deliver = (_frame: Down) => {};
  let changed = () => {};
  let traced = false;
  const live = aLive({
    traced: () => traced,
    status: () => status,
    probe: () => void probes.push(0),
    send: (frame) => sent.push(frame),
    onFrame(listener) {
      deliver = listener;
      return () => {};
    },
    onStatus(listener) {
      changed = listener;
      return () => {};
    },
  });
  return {
    live,
    sent,
    probes,
    trace: () => {
      traced = true;
    },
    receive: (frame: Down) => deliver(frame),
    become(next: LiveStatus) {
      status = next;
      changed();
    },
    sends: () => sent.filter((frame) => frame.type === 'send').map(({ text }) => text),
  };
}

const watched: Down = {
  type: 'watched',
  messages: [],
  conversation: aConversation(ID, { visitorName: '' }),
};

const message = { conversationId: ID, id: 'first', sender: 'visitor', text: 'Hello?', createdAt: 1 };

function setUp(outbox = memoryOutbox(), guarded = false) {
  const clock = fakeClock();
  const line = fakeLine();
  let minted = 0;
  const conversation = startLiveConversation({
    id: ID,
    me: guarded ? 'owner' : 'visitor',
    guarded: guarded ? guard : undefined,
    live: line.live,
    outbox,
    clock,
    random: () => 1,
    createId() {
      minted += 1;
      return `m${minted}`;
    },
  });
  return { conversation, clock, outbox, ...line };
}

test('[MSG-19] a text sent after the conversation stopped is not taken as sent, so it stays a draft', async () => {
  const { conversation, outbox } = setUp();
  conversation.stop();
  await expect(conversation.send('hello')).rejects.toThrow();
  expect(await outbox.list(ID)).toEqual([]);
});

test('a request without an answer within 10 s is repeated', async () => {
  const { conversation, clock, become, receive, sends, sent } = setUp();
  become('open');
  receive(watched);
  await conversation.send('hello');
  await clock.pass(9_999);
  expect(sends()).toEqual(['hello']);
  await clock.pass(1);
  expect(sends()).toEqual(['hello', 'hello']);
  expect(new Set(sent.flatMap((frame) => (frame.type === 'send' ? [frame.id] : [])))).toEqual(
    new Set(['m1']),
  );
});

test.each([
  [
    '[NET-27] while a gateway refuses for the moment',
    'unavailable',
    [500, 1_000, 2_000, 4_000, 8_000, 8_000],
  ],
  ['[NET-27] beyond the sender’s limit', 'too_many', [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000]],
] as const)('%s a message is sent again after a pause that grows', async (_, code, pauses) => {
  const { conversation, clock, become, receive, sends } = setUp();
  become('open');
  receive(watched);
  await conversation.send('hello');
  for (const [i, pause] of pauses.entries()) {
    receive({ type: 'refused', code, conversationId: ID, id: 'm1' });
    await clock.pass(pause - 1);
    expect(sends()).toHaveLength(i + 1);
    await clock.pass(1);
    expect(sends()).toHaveLength(i + 2);
  }
});

test('a failing outbox does not prevent sending', async () => {
  const broken = { ...memoryOutbox(), put: () => Promise.reject(new Error('private window')) };
  const { conversation, become, receive, sends } = setUp(broken);
  become('open');
  receive(watched);
  await conversation.send('hello');
  expect(sends()).toEqual(['hello']);
});

test('a new text waits for those of an earlier visit, however slowly the outbox opens', async () => {
  const outbox = memoryOutbox();
  await outbox.put(anUnsent('earlier', { conversationId: ID }));
  const opened = Promise.withResolvers<void>();
  const list = (id: string) => opened.promise.then(() => outbox.list(id));
  const { conversation, clock, become, receive, sends } = setUp({ ...outbox, list });
  become('open');
  receive(watched);
  const sending = conversation.send('later');
  await clock.pass(0);
  opened.resolve();
  await sending;
  expect(sends()).toEqual(['earlier', 'later']);
});

test('typing is sent at most every 3 s, and that of the other side is shown for 5 s after the last sign of it', async () => {
  const { conversation, clock, become, receive, sent } = setUp();
  become('open');
  receive(watched);
  for (let i = 0; i < 40; i += 1) {
    conversation.typing();
    await clock.pass(100);
  }
  expect(sent.filter(({ type }) => type === 'typing')).toHaveLength(2);
  // Of another tab of this visitor.
  receive({ type: 'typing', conversationId: ID, sender: 'visitor' });
  expect(conversation.state().typingUntil).toBe(0);
  receive({ type: 'typing', conversationId: ID, sender: 'owner' });
  await clock.pass(3_000);
  receive({ type: 'typing', conversationId: ID, sender: 'owner' });
  await clock.pass(4_999);
  expect(conversation.state().typingUntil).toBeGreaterThan(0);
  await clock.pass(1);
  expect(conversation.state().typingUntil).toBe(0);
});

test('[MSG-05] a refusal that was not final after all is taken back in the outbox, and the order stays', async () => {
  const { conversation, clock, outbox, become, receive } = setUp();
  const refuse = async (id: string, code: 'too_many' | 'conversation_closed'): Promise<boolean[]> => {
    receive({ type: 'refused', code, conversationId: ID, id });
    // Not enough to send again.
    await clock.pass(0);
    return (await outbox.list(ID)).map(({ state }) => state === 'refused');
  };
  become('open');
  receive(watched);
  await conversation.send('one');
  await conversation.send('two');
  expect(await refuse('m2', 'too_many')).toEqual([false, false]);
  expect(await refuse('m1', 'conversation_closed')).toEqual([true, false]);
  expect(await refuse('m1', 'too_many')).toEqual([false, false]);
  expect((await outbox.list(ID)).map(({ id }) => id)).toEqual(['m1', 'm2']);
});

test('[PUSH-23] text that the service worker left in the outbox is found on request, and sent once', async () => {
  const { conversation, clock, outbox, become, receive, sent, sends } = setUp(memoryOutbox(), true);
  become('open');
  receive({ ...watched, messages: [{ ...message, seq: 1 }] } as Down);
  await clock.pass(0);
  await outbox.put(anUnsent('r1', { conversationId: ID, text: 'from the notification', after: 1 }));
  expect(sends()).toEqual([]);
  await conversation.restore();
  await conversation.restore();
  expect(sent.filter(({ type }) => type === 'send')).toEqual([
    { type: 'send', conversationId: ID, id: 'r1', text: 'from the notification', after: 1 },
  ]);
  receive({ type: 'refused', code: 'reply_outdated', conversationId: ID, id: 'r1' });
  expect(conversation.state().pending).toMatchObject([{ id: 'r1', state: 'returned' }]);
  expect(await outbox.list(ID)).toMatchObject([{ id: 'r1', state: 'returned' }]);
});

test('[MSG-16] the next page does not send a finally refused message until asked', async () => {
  const first = setUp();
  first.become('open');
  await first.conversation.send('hello');
  first.receive(watched);
  first.receive({ type: 'refused', code: 'conversation_closed', conversationId: ID, id: 'm1' });
  await first.clock.pass(0);
  first.conversation.stop();
  const next = setUp(first.outbox);
  await next.clock.pass(0);
  next.become('open');
  next.receive(watched);
  expect(next.sends()).toEqual([]);
  expect(next.conversation.state().pending).toMatchObject([{ id: 'm1', state: 'refused' }]);
  next.conversation.retry('m1');
  await next.clock.pass(0);
  expect(next.sends()).toEqual(['hello']);
  expect(await next.outbox.list(ID)).toMatchObject([{ id: 'm1', state: 'queued' }]);
});

test('[NET-08] an ack that takes 4 s makes the connection doubtful, and one in time does not', async () => {
  const { conversation, clock, become, receive, probes } = setUp();
  become('open');
  receive(watched);
  await conversation.send('hello');
  await clock.pass(3_999);
  expect(probes).toHaveLength(0);
  await clock.pass(1);
  expect(probes).toHaveLength(1);
  receive({ type: 'ack', conversationId: ID, id: 'm1', seq: 1, createdAt: 1 });
  await conversation.send('again');
  receive({ type: 'ack', conversationId: ID, id: 'm2', seq: 2, createdAt: 2 });
  await clock.pass(20_000);
  expect(probes).toHaveLength(1);
});

test('[NET-08] frequent messages do not postpone the check of a connection without acks', async () => {
  const { conversation, clock, become, receive, probes } = setUp();
  become('open');
  receive(watched);
  await conversation.send('hello');
  await clock.pass(3_000);
  await conversation.send('still there?');
  await clock.pass(1_000);
  expect(probes).toHaveLength(1);
});

test('[MSG-19] a reply to a chat that is gone stays in the composer; a visitor’s text shows as not sent', async () => {
  const reply = setUp(memoryOutbox(), true);
  const visitor = setUp();
  for (const { become, receive } of [reply, visitor]) {
    become('open');
    receive(watched);
    receive({ type: 'gone', conversationId: ID });
  }
  await expect(reply.conversation.send('Too late')).rejects.toThrow('gone');
  expect(reply.conversation.state().pending).toEqual([]);
  await visitor.conversation.send('Too late');
  expect(visitor.conversation.state().pending).toMatchObject([{ text: 'Too late', state: 'refused' }]);
});

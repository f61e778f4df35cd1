import type { Down } from '@settee/protocol/frames/down';
import type { Up } from '@settee/protocol/frames/up';
import type { Message } from '@settee/protocol/model/message';
import { expect, test } from 'vitest';
import { aLive } from '../../../test/aLive.ts';
import { aConversation } from '../../../test/chats.ts';
import { fakeClock } from '../../../test/fakeClock.ts';
import { guard } from '../../chat/model/guard.ts';
import { startLiveConversation } from '../../chat/model/liveConversation.ts';
import { memoryOutbox } from '../../chat/outbox/outbox.ts';
import { withReading } from './reading.ts';

const ID = 'c0000000-0000-4000-8000-000000000000';
const LATENCY_MS = 40;

/** A desk whose server holds a reply if somebody else answered after what its writer had seen. */
function aDeskOf<Name extends string>(...names: Name[]) {
  const clock = fakeClock();
  const stored: Message[] = [
    { conversationId: ID, seq: 1, id: 'first', sender: 'visitor', text: 'Hello?', createdAt: 0 },
  ];
  const listeners = new Map<Name, (frame: Down) => void>();
  const late = (to: Name, frame: Down) =>
    void clock.setTimeout(() => listeners.get(to)?.(frame), LATENCY_MS / 2);

  function onSend(from: Name, { id, text, after = 0 }: Extract<Up, { type: 'send' }>): void {
    const answered = stored.some(({ seq, sender }) => seq > after && sender === 'owner');
    if (answered) {
      late(from, { type: 'refused', code: 'reply_outdated', conversationId: ID, id });
      return;
    }
    const message: Message = {
      conversationId: ID,
      seq: stored.length + 1,
      id,
      sender: 'owner',
      text,
      createdAt: clock.now(),
    };
    stored.push(message);
    late(from, { type: 'ack', conversationId: ID, id, seq: message.seq, createdAt: message.createdAt });
    for (const name of names) late(name, { type: 'message', message });
  }

  function aHandler(name: Name) {
    const live = aLive({
      send(frame) {
        const conversation = aConversation(ID, { head: stored.length });
        if (frame.type === 'watch')
          late(name, {
            type: 'watched',
            conversation,
            messages: stored.filter(({ seq }) => seq > (frame.after ?? 0)),
          });
        if (frame.type === 'send') clock.setTimeout(() => onSend(name, frame), LATENCY_MS / 2);
      },
      onFrame(listener) {
        listeners.set(name, listener);
        return () => {};
      },
    });
    const followed = startLiveConversation({
      id: ID,
      me: 'owner',
      guarded: guard,
      live,
      outbox: memoryOutbox(),
      clock,
      random: () => 1,
      createId: () => `${name} ${clock.now()}`,
    });
    const conversation = withReading(followed, clock, () => false);
    // The list is on the screen, at its end.
    conversation.subscribe(() => conversation.looked(conversation.state().log.messages.at(-1)?.seq ?? 0));
    return {
      state: conversation.state,
      /** Enter, in a reply that was begun at this time. */
      reply: (text: string, begunAt: number) =>
        conversation.send(text, undefined, conversation.view(begunAt)),
      returned: () => conversation.state().pending.filter(({ state }) => state === 'returned'),
      drop: conversation.drop,
    };
  }

  const handlers = Object.fromEntries(names.map((name) => [name, aHandler(name)])) as Record<
    Name,
    ReturnType<typeof aHandler>
  >;
  const replies = () => stored.filter(({ sender }) => sender === 'owner').map(({ text }) => text);
  return { clock, handlers, replies };
}

const offsets = Array.from({ length: 21 }, (_, index) => index * 150);
const orders = [
  ['ana', 'ben'],
  ['ben', 'ana'],
] as const;

test('[CONSOLE-16] of two replies within 3 s, one is sent unasked; the other is held once', async () => {
  for (const [first, second] of orders) {
    for (const offset of offsets) {
      const { clock, handlers, replies } = aDeskOf('ana', 'ben');
      await clock.pass(LATENCY_MS);
      const begun = clock.now();
      await clock.pass(500);
      const race = `${second} ${offset} ms after ${first}`;
      await handlers[first].reply(`from ${first}`, begun);
      await clock.pass(offset);
      await handlers[second].reply(`from ${second}`, begun);
      await clock.pass(10 * LATENCY_MS);
      expect(replies(), race).toEqual([`from ${first}`]);
      const [held] = handlers[second].returned();
      expect(held, race).toMatchObject({ text: `from ${second}` });
      // The bubble shows why. Edited and sent again, it goes, however soon.
      handlers[second].drop(held?.id ?? '');
      await handlers[second].reply(`from ${second}`, begun);
      await clock.pass(10 * LATENCY_MS);
      expect(replies(), race).toEqual([`from ${first}`, `from ${second}`]);
    }
  }
});

test('a reply that was begun after the colleague’s, or read for 3 s before it was sent, is not held', async () => {
  for (const { reading, begin } of [
    { reading: 3_000, begin: 'before' },
    { reading: 0, begin: 'after' },
  ]) {
    const { clock, handlers, replies } = aDeskOf('ana', 'ben');
    await clock.pass(LATENCY_MS);
    const before = clock.now();
    await handlers.ana.reply('from ana', before);
    await clock.pass(LATENCY_MS);
    await clock.pass(reading);
    await handlers.ben.reply('from ben', begin === 'before' ? before : clock.now());
    await clock.pass(LATENCY_MS);
    expect(replies()).toEqual(['from ana', 'from ben']);
  }
});

test('own replies in a row are never held', async () => {
  const { clock, handlers, replies } = aDeskOf('ana');
  await clock.pass(LATENCY_MS);
  for (const text of ['one', 'two', 'three']) {
    await handlers.ana.reply(text, clock.now());
    await clock.pass(30);
  }
  await clock.pass(1_000);
  expect(replies()).toEqual(['one', 'two', 'three']);
});

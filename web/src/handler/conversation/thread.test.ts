import { MESSAGE_PAGE, type Message } from '@settee/protocol/model/message';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seedOr } from '../../../../tools/fullSize.ts';
import { aConversation, messagesBetween } from '../../../test/chats.ts';
import { step } from '../../chat/model/conversation.ts';
import { type ConversationEvent, newConversation } from '../../chat/model/conversationState.ts';
import type { LiveConversation } from '../../chat/model/liveConversation.ts';
import { openThread, type ReadPage, type Thread } from './openThread.ts';
import {
  drawn,
  meetsLog,
  type ThreadWindow,
  toNewest,
  trimmed,
  WINDOW,
  wentTo,
  withNewer,
  withOlder,
} from './threadWindow.ts';

const ID = 'c0000000-0000-4000-8000-000000000000';

/** A conversation with this many messages, its pure model, and a count of the pages read. */
function setUp(
  head: number,
  { seen = head, loaded = true, sender = undefined as Message['sender'] | undefined } = {},
) {
  const listeners = new Set<() => void>();
  let state = newConversation(ID, 'owner');
  let now = 100;
  const apply = (event: ConversationEvent) => {
    state = step(state, event).state;
    for (const listener of [...listeners]) listener();
  };
  const conversation: LiveConversation = {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    sendImage: async () => {},
    drop: () => {},
    view: () => undefined,
    restore: async () => {},
    send: async (text) => {
      now += 1;
      apply({ type: 'send', id: `own ${text}`, text, at: now });
    },
    retry() {},
    looked: (seq) => apply({ type: 'looked', seq }),
    typing() {},
    addOlder: (messages) => apply({ type: 'loadedOlder', messages }),
    update: (conversation) => apply({ type: 'conversation', conversation }),
    keepNewest: (keep) => apply({ type: 'letGo', keep }),
    stop() {},
  };
  const between = (from: number, to: number) =>
    messagesBetween(ID, from, to).map((message) => ({ ...message, sender: sender ?? message.sender }));
  const come = () =>
    apply({
      type: 'watched',
      conversation: {
        ...aConversation(ID, { head, ownerSeen: seen }),
        handlerAlias: 'desk',
        unread: 0,
      } as never,
      messages: between(head - MESSAGE_PAGE + 1, head),
    });
  const read = { pages: 0 };
  const readPage: ReadPage = async (page) => {
    read.pages += 1;
    return 'before' in page
      ? between(Math.max(1, page.before - MESSAGE_PAGE), Math.min(head, page.before - 1))
      : between(page.after + 1, Math.min(head, page.after + MESSAGE_PAGE));
  };
  if (loaded) come();
  return { conversation, readPage, read, come, apply };
}

const ends = (thread: Thread, { conversation }: ReturnType<typeof setUp>) => {
  const run = (thread.view().part?.log ?? conversation.state().log).messages;
  return [run[0]?.seq, run.at(-1)?.seq];
};

test('message 500 of 100,000 costs two pages, whether the conversation is loaded or not', async () => {
  for (const loaded of [true, false]) {
    const world = setUp(100_000, { loaded });
    const thread = openThread(world.conversation, world.readPage, 500);
    expect(thread.view().opening).toBe(true);
    await Promise.resolve();
    if (!loaded) world.come();
    await expect.poll(() => thread.view().opening).toBe(false);
    expect(thread.view().at).toEqual({ seq: 500 });
    expect(ends(thread, world)).toEqual([451, 550]);
    expect(world.read.pages).toBe(2);
    // Another number in the loaded window reads nothing. The same number again is a new target.
    const before = thread.view().at;
    await thread.goTo(500);
    expect(thread.view().at).not.toBe(before);
    expect(world.read.pages).toBe(2);
  }
});

test('a number without a message opens the conversation as usual', async () => {
  const world = setUp(1_000);
  const thread = openThread(world.conversation, world.readPage, 5_000);
  await expect.poll(() => thread.view().opening).toBe(false);
  expect(thread.view()).toMatchObject({ part: undefined, at: undefined });
});

test('reading back leaves the end, reading down returns to it, and memory stays small', async () => {
  const world = setUp(1_000);
  const thread = openThread(world.conversation, world.readPage);
  for (let page = 0; page < 15; page += 1) {
    await thread.loadOlder();
    const [first = 0] = ends(thread, world);
    thread.looked((first as number) + 10);
  }
  expect(ends(thread, world)).toEqual([201, 500]);
  expect(world.conversation.state().log.messages).toHaveLength(MESSAGE_PAGE);
  for (let page = 0; page < 15 && thread.view().part; page += 1) {
    thread.looked((ends(thread, world)[1] ?? 0) - 10);
    thread.view().part?.loadNewer();
    await expect.poll(() => ends(thread, world)[1]).not.toBe(500 + page * MESSAGE_PAGE);
  }
  expect(thread.view().part).toBeUndefined();
  expect(ends(thread, world)).toEqual([701, 1_000]);
});

test('a jump over unread messages does not mark them as seen; reading down to them does', async () => {
  const world = setUp(1_000, { seen: 100 });
  const thread = openThread(world.conversation, world.readPage, 500);
  await expect.poll(() => thread.view().part).toBeDefined();
  thread.looked(510);
  expect(world.conversation.state().looked).toBe(0);
  await thread.goTo(90);
  thread.looked(120);
  expect(world.conversation.state().looked).toBe(120);
});

test('[MSG-30] unread messages that could not be loaded are not marked as seen by those below them', async () => {
  const world = setUp(120, { seen: 0, sender: 'visitor' });
  let online = false;
  const thread = openThread(world.conversation, async (page) => (online ? world.readPage(page) : null));
  await expect.poll(() => thread.view().opening).toBe(false);
  expect(ends(thread, world)).toEqual([71, 120]);
  thread.looked(120);
  expect(world.conversation.state().looked).toBe(0);

  // When they are loaded, messages in view count as seen again.
  online = true;
  await thread.loadOlder();
  thread.looked(120);
  expect(world.conversation.state().looked).toBe(0);
  await thread.loadOlder();
  expect(ends(thread, world)).toEqual([1, 120]);
  thread.looked(120);
  expect(world.conversation.state().looked).toBe(120);
});

describe('the window of a thread', () => {
  fc.configureGlobal({ seed: seedOr(Date.now) });

  const between = (first: number, last: number) => messagesBetween('c', first, last);

  const live = (first: number, last: number): ThreadWindow => ({
    log: between(first, last),
    away: undefined,
  });

  test('at any position: no gap, no more than the window, and nothing in view removed', () => {
    const move = fc.record({
      kind: fc.constantFrom('up', 'up', 'down', 'down', 'arrive', 'newest', 'jump', 'trim'),
      where: fc.double({ min: 0, max: 1, noNaN: true }),
      late: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000 }), fc.array(move, { maxLength: 60 }), (length, moves) => {
        let head = length;
        let thread = live(Math.max(1, head - MESSAGE_PAGE + 1), head);
        let reader = head;
        let latePage: readonly Message[] = [];
        for (const { kind, where, late } of moves) {
          const before = drawn(thread);
          const [first, last] = [before[0]?.seq ?? 0, before.at(-1)?.seq ?? 0];
          // Pages are requested near an edge; some responses arrive after other changes.
          if (kind === 'up') {
            const page = between(Math.max(1, first - MESSAGE_PAGE), first - 1);
            reader = Math.min(last, first + Math.floor(where * 40));
            thread = withOlder(thread, late ? latePage : page, reader);
            latePage = page;
          } else if (kind === 'down') {
            const page = between(last + 1, Math.min(head, last + MESSAGE_PAGE));
            reader = Math.max(first, last - Math.floor(where * 40));
            thread = withNewer(thread, meetsLog(thread) ? [] : late ? latePage : page, reader);
            latePage = page;
          } else if (kind === 'arrive') {
            const more = Math.ceil(where * 120);
            thread = { ...thread, log: [...thread.log, ...between(head + 1, head + more)] };
            head += more;
          } else if (kind === 'newest') {
            thread = toNewest(thread);
            reader = head;
          } else if (kind === 'jump') {
            reader = 1 + Math.floor(where * (head - 1));
            const pages = between(Math.max(1, reader - 49), Math.min(head, reader + MESSAGE_PAGE));
            thread = wentTo(thread, reader, pages);
            expect(drawn(thread).some(({ seq }) => seq === reader)).toBe(true);
          } else {
            reader = Math.min(Math.max(reader, first), last);
            thread = trimmed(thread, reader);
          }
          const after = drawn(thread);
          expect(after.every((message, i) => i === 0 || message.seq === (after[i - 1]?.seq ?? 0) + 1)).toBe(
            true,
          );
          expect(thread.log.at(-1)?.seq).toBe(head);
          expect(thread.log.every((message, i) => message.seq === head - thread.log.length + 1 + i)).toBe(
            true,
          );
          if (thread.away) expect(after.length).toBeLessThanOrEqual(WINDOW);
          if (kind === 'trim') expect(after.length).toBeLessThanOrEqual(WINDOW + MESSAGE_PAGE);
          if (kind === 'up' || kind === 'down' || kind === 'trim') {
            const stays = before.filter(({ seq }) => Math.abs(seq - reader) <= MESSAGE_PAGE);
            const there = new Set(after.map(({ seq }) => seq));
            expect(stays.every(({ seq }) => there.has(seq))).toBe(true);
          }
        }
      }),
    );
  });
});

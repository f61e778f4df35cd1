import { MESSAGE_PAGE, type Message } from '@settee/protocol/model/message';
import { expect, test } from 'vitest';
import { aConversation } from '../../../test/aConversation.ts';
import { messagesBetween } from '../../../test/messages.ts';
import { step } from '../../chat/model/conversation.ts';
import { type ConversationEvent, newConversation } from '../../chat/model/conversationState.ts';
import type { LiveConversation } from '../../chat/model/liveConversation.ts';
import { openThread, type ReadPage, type Thread } from './openThread.ts';

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
    tookBack() {},
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

test('a cached conversation renders at once, another as soon as it loads', () => {
  const there = setUp(1_000);
  expect(openThread(there.conversation, there.readPage).view().opening).toBe(false);
  const coming = setUp(1_000, { loaded: false });
  const thread = openThread(coming.conversation, coming.readPage);
  expect(thread.view().opening).toBe(true);
  coming.come();
  expect(thread.view().opening).toBe(false);
  expect(coming.read.pages).toBe(0);
});

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

test('a chat with more than a page of unread messages opens at the first of them', async () => {
  const world = setUp(1_000, { seen: 400 });
  // An own message would count as having read, so the newest page has none.
  const state = world.conversation.state();
  const visitors = state.log.messages.map((message) => ({ ...message, sender: 'visitor' as const }));
  const conversation = {
    ...world.conversation,
    state: () => ({ ...state, log: { ...state.log, messages: visitors } }),
  };
  const thread = openThread(conversation, world.readPage);
  expect(thread.view().opening).toBe(true);
  await expect.poll(() => thread.view().opening).toBe(false);
  expect(thread.view().at).toBeUndefined();
  expect(thread.view().part?.log.messages.some(({ seq }) => seq === 401)).toBe(true);
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

test('the pill and an own message return to the end at once', async () => {
  const world = setUp(1_000);
  const thread = openThread(world.conversation, world.readPage, 500);
  thread.follow();
  await expect.poll(() => thread.view().part).toBeDefined();
  thread.view().part?.toNewest();
  expect(ends(thread, world)).toEqual([951, 1_000]);
  await thread.goTo(300);
  expect(ends(thread, world)).toEqual([251, 350]);
  await world.conversation.send('hello');
  expect(thread.view().part).toBeUndefined();
});

test('[CONSOLE-49] sending an image scrolls to the end once, and not again when it arrives', async () => {
  const world = setUp(1_000);
  const thread = openThread(world.conversation, world.readPage, 500);
  thread.follow();
  await expect.poll(() => thread.view().part).toBeDefined();
  thread.wrote(1_000);
  expect(thread.view().part).toBeUndefined();
  await thread.goTo(300);
  world.apply({ type: 'send', id: 'image', text: 'in the place of an image', at: 1_000 });
  expect(ends(thread, world)).toEqual([251, 350]);
  world.apply({ type: 'send', id: 'words', text: 'after it', at: 1_001 });
  expect(thread.view().part).toBeUndefined();
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

test('pressing the pill marks everything above as done', async () => {
  const world = setUp(1_000, { seen: 100, sender: 'visitor' });
  const thread = openThread(world.conversation, world.readPage, 500);
  await expect.poll(() => thread.view().part).toBeDefined();
  thread.view().part?.toNewest();
  thread.looked(1_000);
  expect(world.conversation.state().looked).toBe(1_000);
});

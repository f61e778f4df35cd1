import { expect, test } from 'vitest';
import { messagesBetween } from '../../test/messages.ts';
import { type ConversationState, newConversation } from '../chat/model/conversationState.ts';
import type { LiveConversation } from '../chat/model/liveConversation.ts';
import { keepNewest } from '../chat/model/log.ts';
import { openChats } from './openChats.ts';

type Held = LiveConversation & { become(change: Partial<ConversationState>): void };

function setUp(most = 3) {
  const running = new Map<string, Held>();
  const started: string[] = [];
  const rescued: string[] = [];
  const busy = new Set<string>();
  const chats = openChats(
    (id) => {
      started.push(id);
      const conversation = heldConversation(id, () => running.delete(id));
      running.set(id, conversation);
      return conversation;
    },
    (id, returned) => {
      for (const each of returned) rescued.push(`${id}: ${each.text} (${each.id})`);
    },
    (id) => busy.has(id),
    most,
  );
  return {
    ...chats,
    started,
    rescued,
    busy,
    running: () => [...running.keys()].sort(),
    of: (id: string) => running.get(id),
  };
}

/** Returned messages with their place as id. */
function returned(...texts: string[]) {
  return texts.map((text, at) => ({ id: String(at), text }));
}

/** A conversation whose state the test sets. */
function heldConversation(id: string, stop: () => void): Held {
  const listeners = new Set<() => void>();
  let state = newConversation(id, 'owner');
  const become = (change: Partial<ConversationState>) => {
    state = { ...state, ...change };
    for (const listener of [...listeners]) listener();
  };
  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    send: async () => {},
    sendImage: async () => {},
    drop: () => {},
    view: () => undefined,
    restore: async () => {},
    retry() {},
    tookBack: () => become({ handedBack: [] }),
    looked() {},
    typing() {},
    addOlder() {},
    update() {},
    keepNewest: (count) => become({ log: keepNewest(state.log, count) }),
    stop,
    become,
  };
}

const log = (count: number) => ({ messages: messagesBetween('c', 1, count), aside: [] });

test('a cached conversation keeps its object; the least recently opened is released first', () => {
  const { open, started, running } = setUp();
  const a = open('a');
  open('b');
  open('c');
  expect(open('a')).toBe(a);
  open('d');
  expect(running()).toEqual(['a', 'c', 'd']);
  open('b');
  expect(started).toEqual(['a', 'b', 'c', 'd', 'b']);
});

test('neither the open conversation nor one with unsent text is released', () => {
  const { open, show, running, of } = setUp();
  const hide = show(open('a'));
  open('b');
  of('b')?.become({ pending: [{ id: 'm', text: 'wait', at: 0, state: 'waiting' }] });
  for (const id of ['c', 'd', 'e', 'f']) open(id);
  expect(running()).toEqual(['a', 'b', 'f']);
  hide();
  of('b')?.become({ pending: [] });
  open('g');
  expect(running()).toEqual(['b', 'f', 'g']);
});

test('[CONSOLE-49] a conversation with an upload is not released', () => {
  const { open, busy, running } = setUp();
  open('a');
  busy.add('a');
  for (const id of ['b', 'c', 'd', 'e']) open(id);
  expect(running()).toEqual(['a', 'd', 'e']);
  busy.clear();
  open('f');
  expect(running()).toEqual(['d', 'e', 'f']);
});

test('[CONSOLE-16] text returned to a chat that is not open is reported at once, and once', () => {
  const { open, rescued, of } = setUp();
  const a = open('a');
  of('a')?.become({ handedBack: returned('No', 'sorry') });
  expect(rescued).toEqual(['a: No (0)', 'a: sorry (1)']);
  expect(a.state().handedBack).toEqual([]);
  of('a')?.become({ handedBack: returned('No') });
  expect(rescued.slice(2)).toEqual(['a: No (0)']);
  // An image is handed back without text.
  of('a')?.become({ handedBack: returned('') });
  of('a')?.become({ handedBack: returned('', 'Well') });
  expect(rescued.slice(3)).toEqual(['a: Well (1)']);
});

test('[CONSOLE-16] in an open chat returned text waits for the composer; without one it goes with the chat', () => {
  const { open, show, rescued, of } = setUp();
  const a = open('a');
  const hide = show(a);
  of('a')?.become({ handedBack: returned('No') });
  of('a')?.become({ typingUntil: 5 });
  of('a')?.become({ handedBack: returned('No', 'sorry') });
  expect(rescued).toEqual(['a: No (0)', 'a: sorry (1)']);
  expect(a.state().handedBack).toEqual(returned('No', 'sorry'));
  hide();
  expect(rescued).toHaveLength(2);
  expect(a.state().handedBack).toEqual([]);
});

test('a removed conversation leaves the cache at once, or when it is no longer open', () => {
  const { open, show, running, of } = setUp();
  const a = open('a');
  of('a')?.become({ gone: true });
  expect(running()).toEqual([]);
  expect(open('a')).not.toBe(a);
  const hide = show(open('a'));
  of('a')?.become({ gone: true });
  expect(running()).toEqual(['a']);
  hide();
  expect(running()).toEqual([]);
});

test('a thread that nobody views keeps only its newest page', () => {
  const { open, show, of } = setUp();
  const a = open('a');
  const hide = show(a);
  of('a')?.become({ log: log(280) });
  expect(a.state().log.messages).toHaveLength(280);
  hide();
  expect(a.state().log.messages.map(({ seq }) => seq)[0]).toBe(231);
  of('a')?.become({ log: log(201) });
  expect(a.state().log.messages).toHaveLength(50);
});

test('[CONSOLE-49] at the end of a session all of them stop', () => {
  const { open, stopAll, running } = setUp();
  open('a');
  open('b');
  stopAll();
  expect(running()).toEqual([]);
});

test('[PRIVACY-15] authors are cached as long as the chat', () => {
  const { open, authorsOf, keepAuthors } = setUp(1);
  open('a');
  keepAuthors('a', new Map([[1, { id: 'ana', name: 'Ana Kovač' }]]));
  expect(authorsOf('a').get(1)?.name).toBe('Ana Kovač');
  open('b');
  expect([authorsOf('a').size, authorsOf('b').size]).toEqual([0, 0]);
});

test('[MSG-19] each returned text has the id of its message', () => {
  const { open, of, rescued } = setUp();
  open('a');
  of('a')?.become({ handedBack: returned('One') });
  open('b');
  of('b')?.become({ handedBack: returned('One', '', 'Two') });
  expect(rescued).toEqual(['a: One (0)', 'b: One (0)', 'b: Two (2)']);
});

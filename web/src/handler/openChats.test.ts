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
    (id, words, _, messageId) => rescued.push(`${id}: ${words}${messageId ? ` (${messageId})` : ''}`),
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

/** A conversation whose state the test says. */
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
    keepNewest: (count) => become({ log: keepNewest(state.log, count) }),
    stop,
    become,
  };
}

const log = (count: number) => ({ messages: messagesBetween('c', 1, count), aside: [] });

test('[OPEN-91] a conversation is the same one while it is kept; the least recently opened goes first', () => {
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

test('[OPEN-91] neither what is on show nor unsent words are let go', () => {
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

test('[OPEN-124] a conversation to which an image is on its way is not let go', () => {
  const { open, busy, running } = setUp();
  open('a');
  busy.add('a');
  for (const id of ['b', 'c', 'd', 'e']) open(id);
  expect(running()).toEqual(['a', 'd', 'e']);
  busy.clear();
  open('f');
  expect(running()).toEqual(['d', 'e', 'f']);
});

test('[OPEN-101] words that are handed back where nobody looks are told at once, and once', () => {
  const { open, rescued, of } = setUp();
  const a = open('a');
  of('a')?.become({ handedBack: ['No', 'sorry'] });
  expect(rescued).toEqual(['a: No\nsorry']);
  expect(a.state().handedBack).toEqual([]);
  of('a')?.become({ handedBack: ['No'] });
  expect(rescued).toEqual(['a: No\nsorry', 'a: No']);
  // An image comes back without words.
  of('a')?.become({ handedBack: [''] });
  of('a')?.become({ handedBack: ['', 'Well'] });
  expect(rescued.slice(2)).toEqual(['a: Well']);
});

test('[OPEN-101] on show they wait for the composer as well; without one they go when the chat goes', () => {
  const { open, show, rescued, of } = setUp();
  const a = open('a');
  const hide = show(a);
  of('a')?.become({ handedBack: ['No'] });
  of('a')?.become({ typingUntil: 5 });
  of('a')?.become({ handedBack: ['No', 'sorry'] });
  expect(rescued).toEqual(['a: No', 'a: sorry']);
  expect(a.state().handedBack).toEqual(['No', 'sorry']);
  hide();
  expect(rescued).toHaveLength(2);
  expect(a.state().handedBack).toEqual([]);
});

test('[OPEN-91] one that is gone leaves at once, or when it is no longer on show', () => {
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

test('[OPEN-92] what nobody looks at keeps its newest page only', () => {
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

test('[OPEN-91] at the end of a session all of them stop', () => {
  const { open, stopAll, running } = setUp();
  open('a');
  open('b');
  stopAll();
  expect(running()).toEqual([]);
});

test('[CONSOLE-08] what was read about authors is kept for as long as the chat is', () => {
  const { open, authorsOf, keepAuthors } = setUp(1);
  open('a');
  keepAuthors('a', new Map([[1, { id: 'ana', name: 'Ana Kovač' }]]));
  expect(authorsOf('a').get(1)?.name).toBe('Ana Kovač');
  open('b');
  expect([authorsOf('a').size, authorsOf('b').size]).toEqual([0, 0]);
});

test('[CONSOLE-12] words of one message come back with its id, those of several without', () => {
  const { open, of, rescued } = setUp();
  open('a');
  of('a')?.become({ handedBack: ['One'], handedBackIds: ['id-1'] });
  open('b');
  of('b')?.become({ handedBack: ['One', 'Two'], handedBackIds: ['id-1', 'id-2'] });
  expect(rescued).toEqual(['a: One (id-1)', 'b: One\nTwo']);
});

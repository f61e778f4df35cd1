import { describe, expect, test } from 'vitest';
import { messagesBetween } from '../../test/chats.ts';
import type { Images } from '../chat/images/images.ts';
import { startPicks } from '../chat/images/pick/pickStore.ts';
import type { Upload } from '../chat/images/upload/upload.ts';
import { type ConversationState, newConversation, type Pending } from '../chat/model/conversationState.ts';
import type { LiveConversation } from '../chat/model/liveConversation.ts';
import { keepNewest } from '../chat/model/log.ts';
import { whenStored, whenUploadsSettle } from './composer/whenStored.ts';
import { chatImages } from './images/chatImages.ts';
import { openChats } from './openChats.ts';

type Held = LiveConversation & {
  become(change: Partial<ConversationState>): void;
  listeners: Set<() => void>;
};

function setUp(most = 3) {
  const running = new Map<string, Held>();
  const started: string[] = [];
  let left = 0;
  const busy = new Set<string>();
  const chats = openChats(
    (id) => {
      started.push(id);
      const conversation = heldConversation(id, () => running.delete(id));
      running.set(id, conversation);
      return conversation;
    },
    () => {
      left += 1;
    },
    (id) => busy.has(id),
    most,
  );
  return {
    ...chats,
    started,
    left: () => left,
    busy,
    running: () => [...running.keys()].sort(),
    of: (id: string) => running.get(id),
  };
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
    looked() {},
    typing() {},
    addOlder() {},
    update() {},
    keepNewest: (count) => become({ log: keepNewest(state.log, count) }),
    stop,
    become,
    listeners,
  };
}

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

test('[CONSOLE-16] a chat that goes before its reply was sent is reported once; another one is not', () => {
  const { open, show, left, of } = setUp();
  const unsent = { id: 'm', text: 'No', at: 0, state: 'refused' as const };
  open('a');
  of('a')?.become({ gone: true });
  expect(left()).toBe(0);
  for (const shown of [false, true]) {
    const b = open('b');
    const hide = shown ? show(b) : undefined;
    of('b')?.become({ pending: [unsent] });
    expect(left()).toBe(shown ? 1 : 0);
    of('b')?.become({ gone: true });
    of('b')?.become({ typingUntil: 5 });
    expect(left()).toBe(shown ? 2 : 1);
    hide?.();
  }
});

test('[CONSOLE-49] at the end of a session all of them stop', () => {
  const { open, stopAll, running } = setUp();
  open('a');
  open('b');
  stopAll();
  expect(running()).toEqual([]);
});

describe('images of a chat', () => {
  type Held = { become(list: Partial<Upload>[]): void };

  function setUp() {
    const running = new Map<LiveConversation, Held>();
    const images = chatImages(
      async () => (conversation) => {
        const listeners = new Set<() => void>();
        let list: readonly Upload[] = [];
        running.set(conversation, {
          become(next) {
            list = next as Upload[];
            for (const listener of [...listeners]) listener();
          },
        });
        const uploads = {
          list: () => list,
          subscribe(listener: () => void) {
            listeners.add(listener);
            return () => listeners.delete(listener);
          },
        };
        return { uploads, stop: () => void running.delete(conversation) } as unknown as Images;
      },
      picksOf,
    );
    return { ...images, running };
  }

  const picksOf = () => startPicks(async (file) => ({ file, type: 'image/png', width: 2, height: 1 }));

  const chat = (id = 'a') => ({ state: () => ({ id }) }) as LiveConversation;

  test('[CONSOLE-49] an upload keeps its conversation busy; an image that waits for a person does not', async () => {
    const { of, isBusy, running } = setUp();
    const a = chat();
    await of(a);
    expect(isBusy('a')).toBe(false);
    for (const [state, busy] of [
      ['uploading', true],
      ['checking', true],
      ['failed', false],
      ['refused', false],
    ] as const) {
      running.get(a)?.become([{ id: 'one', conversationId: 'a', state }]);
      expect(isBusy('a'), state).toBe(busy);
      expect(isBusy('b')).toBe(false);
    }
  });

  test('[CONSOLE-49] signing out stops every upload, and none starts after it', async () => {
    const { of, stopAll, running, uploads } = setUp();
    const [a, b] = [chat(), chat()];
    await of(a);
    const late = of(b);
    stopAll();
    await expect(late).rejects.toThrow();
    await expect(of(a)).rejects.toThrow();
    expect(running.size).toBe(0);
    expect(uploads(a)).toEqual([]);
  });

  test('[CONSOLE-49] selected images wait for the handler’s return, and keep their conversation loaded', async () => {
    const { picks, hasUnsent, isBusy, close, stopAll } = setUp();
    const [a, b] = [chat('a'), chat('b')];
    const file = new File(['x'], 'harbour.jpg');
    expect([picks(a).state().images, hasUnsent('a')]).toEqual([[], false]);
    picks(a).add([file]);
    // Also while it is still being checked.
    expect([hasUnsent('a'), hasUnsent('b'), hasUnsent('c'), isBusy('a')]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    const waitingSummary = picks(a);
    await expect.poll(() => waitingSummary.state().images).toHaveLength(1);
    expect(picks(a)).toBe(waitingSummary);
    expect(hasUnsent('a')).toBe(true);
    await waitingSummary.handTo(async () => ({ addRead: () => {} }));
    expect(hasUnsent('a')).toBe(false);
    close(a);
    picks(a).add([file]);
    expect([picks(a).state().checking, hasUnsent('a')]).toEqual([0, false]);
    picks(b).add([file]);
    stopAll();
    expect([picks(b).state().checking, hasUnsent('b')]).toEqual([0, false]);
  });
});

describe('whether a reply is stored', () => {
  function conversation(pending: Pending[]) {
    const held = heldConversation('c', () => {});
    held.become({ pending });
    return held;
  }

  const mine: Pending = { id: 'mine', text: 'x', at: 0, state: 'flying' };

  const logged = (id: string) => ({
    messages: messagesBetween('c', 1, 1).map((message) => ({ ...message, id })),
    aside: [],
  });

  const later: Pending = { ...mine, id: 'later', state: 'waiting' };

  test('a reply counts as stored once the server has it, whatever was written since', async () => {
    const chat = conversation([mine]);
    const stored = whenStored(chat, new AbortController().signal);
    chat.become({ pending: [mine, later] });
    chat.become({ pending: [later], log: logged('mine') });
    expect(await stored).toBe(true);
    expect(chat.listeners.size).toBe(0);
  });

  test('refused, returned or abandoned text is not stored', async () => {
    const refused = conversation([mine]);
    const first = whenStored(refused, new AbortController().signal);
    refused.become({ pending: [{ ...mine, state: 'refused' }] });
    expect(await first).toBe(false);

    const held = conversation([mine]);
    const second = whenStored(held, new AbortController().signal);
    held.become({ pending: [{ ...mine, state: 'returned' }] });
    expect(await second).toBe(false);

    const left = conversation([mine]);
    const leaving = new AbortController();
    const third = whenStored(left, leaving.signal);
    leaving.abort();
    left.become({ pending: [] });
    expect(await third).toBe(false);
    expect(await whenStored(left, leaving.signal)).toBe(false);
    expect(left.listeners.size).toBe(0);
  });
});

describe('whether uploads have become messages', () => {
  function setUp(...states: Upload['state'][]) {
    let uploads = states.map((state) => ({ state }) as Upload);
    const listeners = new Set<() => void>();
    const leaving = new AbortController();
    const images = {
      uploads: () => uploads,
      subscribe(listener: () => void) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    return {
      brought: whenUploadsSettle(images, {} as LiveConversation, leaving.signal),
      leaving,
      listeners,
      become(...next: Upload['state'][]) {
        uploads = next.map((state) => ({ state }) as Upload);
        for (const listener of [...listeners]) listener();
      },
    };
  }

  test('[CONSOLE-49] waits until the last upload has become a message', async () => {
    const { brought, become, listeners } = setUp('uploading', 'uploading');
    become('checking');
    become();
    expect(await brought).toBe(true);
    expect(listeners.size).toBe(0);
  });

  test('[CONSOLE-49] a failed upload, or a sender who left, ends the wait', async () => {
    const failed = setUp('uploading', 'uploading');
    failed.become('uploading', 'failed');
    expect(await failed.brought).toBe(false);
    const left = setUp('uploading');
    left.leaving.abort();
    expect(await left.brought).toBe(false);
    expect(left.listeners.size).toBe(0);
  });
});

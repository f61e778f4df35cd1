import { expect, test } from 'vitest';
import { messagesBetween } from '../../../test/messages.ts';
import { type ConversationState, newConversation, type Pending } from '../../chat/model/conversationState.ts';
import { whenStored } from './whenStored.ts';

function conversation(pending: Pending[]) {
  let state: ConversationState = { ...newConversation('c', 'owner'), pending };
  const listeners = new Set<() => void>();
  return {
    state: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    become(change: Partial<ConversationState>) {
      state = { ...state, ...change };
      for (const listener of [...listeners]) listener();
    },
    listeners,
  };
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

test('an earlier refused message is not waited for', async () => {
  const failed: Pending = { ...mine, id: 'failed', state: 'failed' };
  const chat = conversation([failed, mine]);
  const stored = whenStored(chat, new AbortController().signal);
  chat.become({ pending: [failed, { ...mine, state: 'acked', seq: 1 }] });
  expect(await stored).toBe(true);
  expect(await whenStored(conversation([failed]), new AbortController().signal)).toBe(true);
});

test('[CONSOLE-16] returned text is not stored, even if it was taken back already', async () => {
  const chat = conversation([mine]);
  const stored = whenStored(chat, new AbortController().signal);
  chat.become({ pending: [] });
  expect(await stored).toBe(false);
});

test('refused, returned or abandoned text is not stored', async () => {
  const refused = conversation([mine]);
  const first = whenStored(refused, new AbortController().signal);
  refused.become({ pending: [{ ...mine, state: 'failed' }] });
  expect(await first).toBe(false);

  const held = conversation([mine]);
  const second = whenStored(held, new AbortController().signal);
  held.become({ pending: [], handedBack: [{ id: 'x', text: 'x' }] });
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

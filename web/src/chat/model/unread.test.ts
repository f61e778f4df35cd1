import type { Sender } from '@settee/protocol/model/message';
import { expect, test } from 'vitest';
import { aConversation } from '../../../test/aConversation.ts';
import { type ConversationState, newConversation } from './conversationState.ts';
import { countNew, coversUnread, firstUnread, unreadAtOpening } from './unread.ts';

const ID = 'c0000000-0000-4000-8000-000000000000';

/** o: the owner's message, v: the visitor's; numbered from `first`. */
function stateOf(senders: string, seen: number, first = 1): ConversationState {
  const messages = senders.split('').map((letter, i) => {
    const sender: Sender = letter === 'o' ? 'owner' : 'visitor';
    return { conversationId: ID, seq: first + i, id: `m${first + i}`, sender, text: '', createdAt: 0 };
  });
  const view = aConversation(ID, { visitorSeen: seen });
  return { ...newConversation(ID, 'visitor'), loaded: true, view, log: { messages, aside: [] } };
}

const newFrom = (state: ConversationState) => firstUnread(state, unreadAtOpening(state));

test('the line is above the first message that was not seen', () => {
  expect(newFrom(stateOf('ooooo', 3))).toBe('m4');
  expect(newFrom(stateOf('ooooo', 5))).toBeUndefined();
  expect(newFrom(stateOf('', 0))).toBeUndefined();
});

test('an own message marks everything before it as read', () => {
  expect(newFrom(stateOf('oovoo', 0))).toBe('m4');
  expect(newFrom(stateOf('ooov', 0))).toBeUndefined();
});

test('later messages do not move the line', () => {
  const before = stateOf('oo', 2);
  const unread = unreadAtOpening(before);
  expect(firstUnread(stateOf('ooo', 2), unread)).toBeUndefined();
});

test('unread messages that are not loaded are known to be missing', () => {
  const late = stateOf('ooo', 2, 50);
  expect(coversUnread(late, unreadAtOpening(late))).toBe(false);
  const all = stateOf('ooo', 2, 3);
  expect(coversUnread(all, unreadAtOpening(all))).toBe(true);
  const read = stateOf('ooo', 52, 50);
  expect(coversUnread(read, unreadAtOpening(read))).toBe(true);
});

test('[MSG-30] the pill counts the other side’s messages below the last one in view', () => {
  const state = stateOf('oovoo', 0);
  expect(countNew({ ...state, looked: 1 }, 0)).toBe(3);
  expect(countNew({ ...state, looked: 5 }, 0)).toBe(0);
  expect(countNew(state, 4)).toBe(1);
});

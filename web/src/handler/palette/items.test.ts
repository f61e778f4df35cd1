import { expect, test } from 'vitest';
import { aQueueRow } from '../../../test/aQueueRow.ts';
import {
  actionItems,
  chatItems,
  inTypedOrder,
  messageItems,
  namedRows,
  replyItems,
  shortGroup,
} from './items.ts';
import type { SearchResult } from './useSearch.ts';

const run = () => {};

function searched(query: string, more: Partial<SearchResult> = {}): SearchResult {
  return { query, conversations: [], messages: [], complete: true, failed: false, ...more };
}

const found = { conversationId: 'b', visitorId: 'b', visitorName: 'Jonas Weber', status: 'closed' as const };
const keys = (items: { key: string }[]) => items.map(({ key }) => key);

test('of two actions with one id the newer is offered, and the palette itself is not', () => {
  const items = actionItems(
    [
      { id: 'close', name: 'Close chat', key: 'e', run },
      { id: 'close', name: 'Close', run },
      { id: 'palette', name: 'Search and commands', run },
    ],
    '',
  );
  expect(items).toMatchObject([{ command: { name: 'Close chat' } }]);
});

test('actions have a fixed order, whoever registered them first', () => {
  const items = actionItems(
    ['signOut', 'other', 'close', 'reply', 'undo'].map((id) => ({ id, name: id, run })),
    '',
  );
  expect(items.map(({ key }) => key)).toEqual([
    'action undo',
    'action reply',
    'action close',
    'action signOut',
    'action other',
  ]);
});

test('[CONSOLE-46] chats of the queue come first, each once, then the server’s results', () => {
  const rows = namedRows([
    aQueueRow('a', { visitorName: 'Léa Moreau' }),
    aQueueRow('c', { visitorName: 'Jon' }),
  ]);
  const answer = searched('jo', {
    conversations: [
      { ...found, inviteLabel: 'Lyon', lastMessageAt: 1 },
      { ...found, conversationId: 'c', inviteLabel: '', lastMessageAt: 1 },
    ],
  });
  expect(keys(chatItems(rows, answer, 'jo').names)).toEqual(['chat c', 'chat b']);
  expect(keys(chatItems(rows, null, 'moreau lea').names)).toEqual(['chat a']);
});

test('[CONSOLE-46] the previous answer stays only where it matches the current text', () => {
  const answer = searched('read', {
    messages: [
      { ...found, seq: 1, sender: 'visitor', author: null, text: 'read it', createdAt: 1 },
      { ...found, seq: 2, sender: 'owner', author: 'Elin', text: 'ready', createdAt: 1 },
    ],
    conversations: [{ ...found, inviteLabel: 'reading', lastMessageAt: 1 }],
  });
  expect(keys(messageItems(answer, 'read'))).toHaveLength(2);
  expect(keys(messageItems(answer, 'ready'))).toEqual(['message b 2']);
  expect(keys(messageItems(answer, 'other'))).toEqual([]);
  expect(chatItems([], answer, 'readi').labels).toHaveLength(1);
  expect(chatItems([], answer, 'ready').labels).toHaveLength(0);
});

test('saved replies are offered for what is typed, with or without their slash', () => {
  const reply = { id: 'r', shortcut: 'thanks', text: 'Thank you', shared: false, editable: true };
  expect(keys(replyItems([reply], '/tha'))).toEqual(['reply r']);
  expect(keys(replyItems([reply], 'you'))).toEqual(['reply r']);
  expect(replyItems([reply], '')).toEqual([]);
  expect(replyItems([reply], 'tour')).toEqual([]);
});

test('the chats keep their order while text is typed; later ones come after them', () => {
  const row = (id: string, visitorName: string) => aQueueRow(id, { visitorName });
  const [maria, mario, mara] = [row('a', 'Maria'), row('b', 'Mario'), row('c', 'Mara')];
  const typed = [maria, mario].map(({ conversationId }) => conversationId);
  const now = inTypedOrder(typed, namedRows([mara, mario, maria]));
  expect(now.map(({ name }) => name)).toEqual(['Maria', 'Mario', 'Mara']);
  expect(inTypedOrder(typed, namedRows([mario])).map(({ name }) => name)).toEqual(['Mario']);
});

test('chats that match by name are separate from those that match only by invite label', () => {
  const answer = searched('jo', {
    conversations: [
      { ...found, conversationId: 'label', visitorName: 'Kenji', inviteLabel: 'Jo’s list', lastMessageAt: 2 },
      { ...found, conversationId: 'name', inviteLabel: '', lastMessageAt: 1 },
    ],
  });
  const { names, labels } = chatItems([], answer, 'jo');
  expect(keys(names)).toEqual(['chat name']);
  expect(keys(labels)).toEqual(['chat label']);
});

test('a group shows five and an entry for all; a single sixth needs no entry', () => {
  const items = namedRows(Array.from({ length: 7 }, (_, n) => aQueueRow(`${n}`, { visitorName: 'Jo' })));
  const { names } = chatItems(items, null, 'jo');
  expect(keys(shortGroup('chat', names, false))).toEqual([...keys(names).slice(0, 5), 'more chat']);
  expect(shortGroup('chat', names, true)).toHaveLength(7);
  expect(shortGroup('chat', names.slice(0, 6), false)).toHaveLength(6);
});

import { expect, test } from 'vitest';
import { aQueueRow } from '../../../test/aDesk.ts';
import { fits } from '../../staff/search/fits.ts';
import { fold, wordsOf } from '../../staff/search/fold.ts';
import { snippet } from '../../staff/search/snippet.tsx';
import { chatItems, namedRows, replyItems } from './items.ts';
import type { SearchResult } from './useSearch.ts';

function searched(query: string, more: Partial<SearchResult> = {}): SearchResult {
  return { query, conversations: [], messages: [], complete: true, failed: false, ...more };
}

const found = { conversationId: 'b', visitorId: 'b', visitorName: 'Jonas Weber', status: 'closed' as const };
const keys = (items: { key: string }[]) => items.map(({ key }) => key);

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

test('saved replies are offered for what is typed, with or without their slash', () => {
  const reply = { id: 'r', shortcut: 'thanks', text: 'Thank you', shared: false, editable: true };
  expect(keys(replyItems([reply], '/tha'))).toEqual(['reply r']);
  expect(keys(replyItems([reply], 'you'))).toEqual(['reply r']);
  expect(replyItems([reply], '')).toEqual([]);
  expect(replyItems([reply], 'tour')).toEqual([]);
});

test('[CONSOLE-46] case and accents do not matter, as on the server', () => {
  expect(fold('Léa MOREAU')).toBe('lea moreau');
  expect(fold('Straße')).toBe('strasse');
  expect(fold('Łódź Øster ﬁn Σίσυφος')).toBe('lodz oster fin σισυφοσ');
  expect(fold('İstanbul')).toBe('istanbul');
  expect(fold('e\u0301')).toBe('e');
  expect(fold('مُحَمَّد')).toBe('محمد');
});

test('[CONSOLE-46] words are separated by non-letters, ideographs are single words', () => {
  const words = (text: string) => wordsOf(text).map(({ folded }) => folded);
  expect(words('Well, it’s page 212!')).toEqual(['well', 'it', 's', 'page', '212']);
  expect(words('東京 tower')).toEqual(['東', '京', 'tower']);
  expect(words('  ')).toEqual([]);
});

test('an action matches by the beginnings of its words, in any order, or by its initials', () => {
  expect(fits('Mark unread', '')).toBe(true);
  expect(fits('Mark unread', 'unr')).toBe(true);
  expect(fits('Mark unread', 'u ma')).toBe(true);
  expect(fits('Mark unread', 'MU')).toBe(true);
  expect(fits('Léa Moreau', 'lea')).toBe(true);
  expect(fits('Mark unread', 'read')).toBe(false);
  expect(fits('Mark unread', '!')).toBe(false);
});

test('typing a name does not close a chat by accident', () => {
  // The letters of 'lea' occur in 'Close chat' one after the other.
  expect(fits('Close chat', 'lea')).toBe(false);
});

const shown = (text: string, typed: string) =>
  snippet(text, typed)
    .map((part) => (part.hit ? `[${part.text}]` : part.text))
    .join('');

test('[CONSOLE-46] every match is marked, in the original text', () => {
  expect(shown('Léa met LEA and leaves', 'lea')).toBe('[Léa] met [LEA] and [lea]ves');
  expect(shown('Die große Straße', 'strasse')).toBe('Die große [Straße]');
  expect(shown('Die große Straße', 'stras')).toBe('Die große [Straß]e');
  expect(shown('cafe\u0301 noir', 'cafe')).toBe('[cafe\u0301] noir');
  expect(shown('one\n\n two', 'two')).toBe('one [two]');
});

test('[CONSOLE-46] words before the last must be whole; nothing is marked inside a word', () => {
  expect(shown('the theatre of the sea', 'the se')).toBe('[the] theatre of [the] [se]a');
  expect(shown('seen and unseen', 'seen')).toBe('[seen] and unseen');
});

test('[CONSOLE-46] a long message is cut around the first match', () => {
  const long = `${'before '.repeat(60)}lighthouse ${'after '.repeat(60)}`;
  const cut = shown(long, 'light');
  expect(cut).toMatch(/^…(before ){3,6}\[light\]house (after )+after…$/);
  expect(cut.length).toBeLessThan(160);
});

test('[CONSOLE-46] no character is cut in two, even without spaces', () => {
  const cut = snippet(`${'😮'.repeat(200)}x${'😮'.repeat(200)}`, 'x')
    .map(({ text }) => text)
    .join('');
  expect(cut).toContain('x');
  expect(cut.isWellFormed()).toBe(true);
});

test('[CONSOLE-46] typed text is text, not a pattern or a tag', () => {
  expect(shown('a <b> (c) [d]', '<b> (')).toBe('a <[b]> (c) [d]');
  expect(shown('nothing here', '.*')).toBe('nothing here');
});

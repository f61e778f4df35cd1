import type { Sender } from '@settee/protocol/model/message';
import { describe, expect, test } from 'vitest';
import { aConversation } from '../../../test/chats.ts';
import { type ConversationState, newConversation } from './conversationState.ts';
import { isEmojiOnly } from './emojiOnly.ts';
import type { Entry } from './entries.ts';
import { groupRows, OWN } from './grouping.ts';
import { linkify } from './linkify.ts';
import { countNew, coversUnread, firstUnread, unreadAtOpening } from './unread.ts';

test('one to three emoji are large, also joined ones, flags and skin tones', () => {
  for (const text of ['😮', '😮😮', '❤️ 🎉 👍🏽', '👨‍👩‍👧‍👦', '🇩🇪🇫🇷', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '1️⃣', '#️⃣', '‼️⁉️', '〰️', 'ℹ️']) {
    expect(isEmojiOnly(text), text).toBe(true);
  }
});

test('text, digits, four emoji and nothing are not large', () => {
  for (const text of ['', ' ', 'ok 👍', '123', '#', '😮😮😮😮', '😮.', 'é', '‼', 'ℹ️.', 'a\uFE0F']) {
    expect(isEmojiOnly(text), text).toBe(false);
  }
});

const noon = new Date(2026, 10, 15, 12).getTime();
const MINUTE = 60_000;

function entry(sender: Sender, at: number): Entry {
  return { key: String(at), seq: 1, sender, text: '', at, state: 'stored' };
}

const edges = (entries: Entry[]) => groupRows(entries, noon).map((row) => [row.opensGroup, row.closesGroup]);

test('messages of one sender within three minutes form a group', () => {
  expect(
    edges([entry('owner', noon), entry('owner', noon + MINUTE), entry('owner', noon + 2 * MINUTE)]),
  ).toEqual([
    [true, false],
    [false, false],
    [false, true],
  ]);
});

test('another sender, three minutes or midnight start a new group', () => {
  const alone = [true, true];
  expect(edges([entry('owner', noon), entry('visitor', noon)])).toEqual([alone, alone]);
  expect(edges([entry('owner', noon), entry('owner', noon + 3 * MINUTE)])).toEqual([alone, alone]);
  const midnight = new Date(2026, 10, 15).getTime();
  expect(edges([entry('owner', midnight - 1), entry('owner', midnight)])).toEqual([alone, alone]);
});

test('the first message of each day carries its label', () => {
  const rows = groupRows(
    [entry('owner', noon - 24 * 60 * MINUTE), entry('visitor', noon), entry('visitor', noon + 1)],
    noon,
  );
  expect(rows.map((row) => row.day)).toEqual(['Yesterday', 'Today', undefined]);
});

test('the line above new messages ends a group', () => {
  const entries = [entry('owner', noon), entry('owner', noon + 1), entry('owner', noon + 2)];
  expect(groupRows(entries, noon, String(noon + 1)).map((row) => row.opensGroup)).toEqual([
    true,
    true,
    false,
  ]);
});

test('[PRIVACY-15] another colleague starts a new group, and each message has its author', () => {
  const replies = [1, 2, 3, 4].map((seq) => ({ ...entry('owner', noon + seq), seq }));
  const rows = groupRows(replies, noon, undefined, (seq) => (seq > 2 ? OWN : 'Ana'));
  expect(rows.map((row) => [row.author, row.opensGroup])).toEqual([
    ['Ana', true],
    ['Ana', false],
    ['You', true],
    [undefined, false],
  ]);
});

const link = (href: string, label = href) => ({ href, label });

describe('[MSG-36] links', () => {
  test('a text without a link is unchanged', () => {
    expect(linkify('see lycee.example/club, or mail me')).toEqual(['see lycee.example/club, or mail me']);
    expect(linkify('')).toEqual([]);
  });

  test('http and https become links, without the punctuation around them', () => {
    expect(linkify('Here: https://a.example/club. And (http://b.example/x)!')).toEqual([
      'Here: ',
      link('https://a.example/club'),
      '. And (',
      link('http://b.example/x'),
      ')!',
    ]);
    expect(linkify('https://en.example/wiki/Seat_(chair)')).toEqual([
      link('https://en.example/wiki/Seat_(chair)'),
    ]);
  });

  test('no other scheme becomes a link', () => {
    for (const text of [
      'javascript:alert(1)',
      'data:text/html,x',
      'ftp://a.example',
      'xhttps//a',
      'https://',
    ])
      expect(linkify(text)).toEqual([text]);
  });

  test('a look-alike host is shown as its real name', () => {
    expect(linkify('https://аpple.com/login')).toEqual([link('https://xn--pple-43d.com/login')]);
    expect(linkify('https://bank.example@evil.example/')).toEqual([
      link('https://bank.example@evil.example/'),
    ]);
  });

  test('the label shows the complete link', () => {
    const text = 'a https://x.example/1, b https://y.example/2… c';
    const labels = linkify(text).map((piece) => (typeof piece === 'string' ? piece : piece.label));
    expect(labels.join('')).toBe(text);
  });
});

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

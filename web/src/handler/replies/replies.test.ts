import { MESSAGE_TEXT_MAX } from '@settee/protocol/model/message';
import { type SavedReply, SHORTCUT_MAX } from '@settee/protocol/model/savedReply';
import { expect, test } from 'vitest';
import { matchReplies } from './matchReplies.ts';
import { replyProblems } from './ReplyForm.tsx';
import { fillReply, slashWordAt } from './slashWord.ts';

function reply(shortcut: string, text: string): SavedReply {
  return { id: shortcut, shortcut, text, shared: false, editable: true };
}

const replies = [
  reply('sign', 'Send me the name for the dedication'),
  reply('thanks', 'Thank you, {name}!'),
  reply('tour', 'All the dates are on the tour page'),
  reply('détour', 'Another way'),
];

const shortcuts = (query: string) => matchReplies(replies, query).map(({ shortcut }) => shortcut);

test('a slash opens the list only at the start of the field or of a word', () => {
  expect(slashWordAt('/', 1)).toEqual({ start: 0, end: 1, query: '' });
  expect(slashWordAt('Well, /tha', 10)).toEqual({ start: 6, end: 10, query: 'tha' });
  expect(slashWordAt('one\n/t', 6)).toEqual({ start: 4, end: 6, query: 't' });
  expect(slashWordAt('and/or', 6)).toBeNull();
  expect(slashWordAt('https://example.org', 19)).toBeNull();
  expect(slashWordAt('/thanks and', 11)).toBeNull();
  expect(slashWordAt('/ ', 2)).toBeNull();
  expect(slashWordAt('', 0)).toBeNull();
});

test('typed text matches by shortcut first, then by text', () => {
  expect(shortcuts('')).toEqual(['sign', 'thanks', 'tour', 'détour']);
  expect(shortcuts('t')).toEqual(['thanks', 'tour', 'détour', 'sign']);
  expect(shortcuts('TOUR')).toEqual(['tour', 'détour']);
  expect(shortcuts('detour')).toEqual(['détour']);
  expect(shortcuts('dedication')).toEqual(['sign']);
  expect(shortcuts('nothing')).toEqual([]);
});

test('{name} becomes the name unchanged, and is removed cleanly without one', () => {
  expect(fillReply('Thank you, {name}!', 'Jonas Weber')).toBe('Thank you, Jonas Weber!');
  expect(fillReply('{name} and {name}', '$& {name}')).toBe('$& {name} and $& {name}');
  expect(fillReply('Thank you, {name}!', '')).toBe('Thank you!');
  expect(fillReply('Hi {name}, all is well.', 'Guest')).toBe('Hi, all is well.');
  expect(fillReply('{name}, thank you.\n{name}: so it is', '')).toBe('thank you.\nso it is');
});

test('each field of a saved reply shows its error', () => {
  expect(replyProblems({ shortcut: '/Thanks', text: 'Thank you' })).toEqual({});
  expect(replyProblems({ shortcut: 'so long', text: 'x' }).shortcut).toMatch(/letters, digits and dashes/);
  expect(replyProblems({ shortcut: '', text: 'x' }).shortcut).toBeDefined();
  expect(replyProblems({ shortcut: 'a'.repeat(SHORTCUT_MAX + 1), text: 'x' }).shortcut).toMatch(/at most/);
  expect(replyProblems({ shortcut: 'a', text: ' \n' })).toEqual({
    text: 'A saved reply has 1 to 4,000 characters',
  });
  expect(replyProblems({ shortcut: 'a', text: 'x'.repeat(MESSAGE_TEXT_MAX + 1) }).text).toBeDefined();
});

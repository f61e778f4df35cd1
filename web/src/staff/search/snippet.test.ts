import { expect, test } from 'vitest';
import { holdsAll, markedName, snippet } from './snippet.ts';

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

test('[CONSOLE-46] an older answer still matches if every word is in it', () => {
  expect(holdsAll('May I read it to them?', 'read th')).toBe(true);
  expect(holdsAll('May I read it to them?', 'rea th')).toBe(false);
});

test('in a name the beginnings of words that were typed are marked, with or without accents', () => {
  const marked = (name: string, typed: string) =>
    markedName(name, typed)
      .map(({ text, hit }) => (hit ? `[${text}]` : text))
      .join('');
  expect(marked('Léa Moreau', 'lea mo')).toBe('[Léa] [Mo]reau');
  expect(marked('Jonas Weber', 'x')).toBe('Jonas Weber');
  expect(marked('Jonas Weber', '')).toBe('Jonas Weber');
});

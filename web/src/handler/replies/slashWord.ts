import { isUnnamed } from '@settee/protocol/model/visitor';
import { fillText } from '@settee/protocol/texts/fillText';
/** A word that starts with a slash, at the caret. */
export type SlashWord = {
  /** From the slash to the end of the word. */
  start: number;
  end: number;
  /** The text between slash and caret. */
  query: string;
};

/** The slash word at the caret, or null. A slash inside a word does not count. */
export function slashWordAt(text: string, caret: number): SlashWord | null {
  const before = text.slice(0, caret);
  const start = before.search(/\S+$/u);
  if (start === -1 || text[start] !== '/') return null;
  const rest = /^\S*/u.exec(text.slice(caret))?.[0].length ?? 0;
  return { start, end: caret + rest, query: before.slice(start + 1) };
}

export type Edited = { text: string; caret: number };

/** Replaces the slash word and puts the caret behind it. */
export function replaceWord(text: string, word: SlashWord, insertion: string): Edited {
  return {
    text: text.slice(0, word.start) + insertion + text.slice(word.end),
    caret: word.start + insertion.length,
  };
}

/** Inserts text at the caret, separated from the word before it. */
export function insertAt(text: string, caret: number, insertion: string): Edited {
  const before = text.slice(0, caret);
  const gap = /\S$/u.test(before) ? ' ' : '';
  return { text: before + gap + insertion + text.slice(caret), caret: caret + gap.length + insertion.length };
}

/** A slash that a button inserted, and the text without it. It is temporary until the user types. */
export type TemporarySlash = { after: Edited; before: Edited };

export function insertTemporarySlash(before: Edited): TemporarySlash {
  return { after: insertAt(before.text, before.caret, '/'), before };
}

export function withoutTemporarySlash(slash: TemporarySlash | null, now: Edited): Edited {
  return slash?.after.text === now.text ? slash.before : now;
}

/** Without a visitor name, the placeholder and its lead-in are removed, as in 'Thank you, {name}!'. */
export function fillReply(text: string, visitorName: string): string {
  if (!isUnnamed(visitorName)) return fillText(text, { name: visitorName.trim() });
  return text.replace(/(^|\n)\{name\}[,:]?[^\S\n]*/g, '$1').replace(/,?[^\S\n]*\{name\}/g, '');
}

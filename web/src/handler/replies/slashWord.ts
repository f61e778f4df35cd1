import { isUnnamed } from '@settee/protocol/model/visitor';
import { fillText } from '@settee/protocol/texts/fillText';
/** A word that begins with a slash, under the caret. */
export type SlashWord = {
  /** Where the slash stands, and where the word ends. */
  start: number;
  end: number;
  /** What was typed behind the slash, up to the caret. */
  query: string;
};

/** The slash word that the caret stands in; null where there is none. A slash inside a word is just a slash. */
export function slashWordAt(text: string, caret: number): SlashWord | null {
  const before = text.slice(0, caret);
  const start = before.search(/\S+$/u);
  if (start === -1 || text[start] !== '/') return null;
  const rest = /^\S*/u.exec(text.slice(caret))?.[0].length ?? 0;
  return { start, end: caret + rest, query: before.slice(start + 1) };
}

export type Edited = { text: string; caret: number };

/** The words in the place of the slash word, and the caret behind them. */
export function replaceWord(text: string, word: SlashWord, insertion: string): Edited {
  return {
    text: text.slice(0, word.start) + insertion + text.slice(word.end),
    caret: word.start + insertion.length,
  };
}

/** The words at the caret, apart from the word before it. */
export function insertAt(text: string, caret: number, insertion: string): Edited {
  const before = text.slice(0, caret);
  const gap = /\S$/u.test(before) ? ' ' : '';
  return { text: before + gap + insertion + text.slice(caret), caret: caret + gap.length + insertion.length };
}

/** A slash that a button typed, and the words without it. As long as nothing was typed since, it is nobody's word. */
export type TemporarySlash = { after: Edited; before: Edited };

export function insertTemporarySlash(before: Edited): TemporarySlash {
  return { after: insertAt(before.text, before.caret, '/'), before };
}

/** The words without a slash that is still only lent. */
export function withoutTemporarySlash(lent: TemporarySlash | null, now: Edited): Edited {
  return lent?.after.text === now.text ? lent.before : now;
}

/**
 * A saved reply for this visitor. Who gave no name is not called 'there', which fits neither every language nor every
 * sentence: the place and what leads to it fall away, as in 'Thank you, {name}!'.
 */
export function fillReply(text: string, visitorName: string): string {
  if (!isUnnamed(visitorName)) return fillText(text, { name: visitorName.trim() });
  return text.replace(/(^|\n)\{name\}[,:]?[^\S\n]*/g, '$1').replace(/,?[^\S\n]*\{name\}/g, '');
}

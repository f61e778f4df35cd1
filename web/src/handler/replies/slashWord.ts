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
export function replaceWord(text: string, word: SlashWord, words: string): Edited {
  return {
    text: text.slice(0, word.start) + words + text.slice(word.end),
    caret: word.start + words.length,
  };
}

/** The words at the caret, apart from the word before it. */
export function insertAt(text: string, caret: number, words: string): Edited {
  const before = text.slice(0, caret);
  const gap = /\S$/u.test(before) ? ' ' : '';
  return { text: before + gap + words + text.slice(caret), caret: caret + gap.length + words.length };
}

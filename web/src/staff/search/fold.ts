/** Must match the SQL function `search_fold`. */
const MARKS = /[\u0300-\u036f]|[\u0591-\u05bd]|[\u0610-\u061a]|[\u064b-\u065f]|\u0670|[\ufe00-\ufe0f]/g;
const LETTERS: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  ς: 'σ',
  ß: 'ss',
};
/** Scripts without spaces: each character is a word. */
const ALONE = /[\u2190-\u2bff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u{1f000}-\u{1faff}\u{20000}-\u{3ffff}]/u;
const OF_A_WORD = /[\p{L}\p{N}\p{M}]/u;

/** Removes case and accents: 'lea' finds 'Léa', 'strasse' finds 'Straße'. */
export function fold(text: string): string {
  return Array.from(text, foldOne).join('');
}

function foldOne(char: string): string {
  const bare = char.normalize('NFKD').replace(MARKS, '').toLowerCase().replace(MARKS, '');
  return Array.from(bare, (each) => LETTERS[each] ?? each).join('');
}

export type Word = {
  folded: string;
  start: number;
  /** The text position of each folded character, and of the end. */
  places: readonly number[];
};

export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  let folded = '';
  let places: number[] = [];
  let at = 0;
  function end(): void {
    if (folded !== '') words.push({ folded, start: places[0] ?? at, places: [...places, at] });
    folded = '';
    places = [];
  }
  for (const char of text) {
    const alone = ALONE.test(char);
    if (alone || !OF_A_WORD.test(char)) end();
    if (alone || OF_A_WORD.test(char)) {
      const one = foldOne(char);
      folded += one;
      for (const _ of Array(one.length)) places.push(at);
    }
    at += char.length;
    if (alone) end();
  }
  end();
  return words;
}

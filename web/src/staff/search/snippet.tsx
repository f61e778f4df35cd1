import { type Word, wordsOf } from './fold.ts';

export type SnippetPart = { text: string; hit: boolean };

/** About two lines. */
const LENGTH = 140;
/** Text before the first match. */
const LEAD = 40;
const CUT = '…';

/** A message as one line, cut around the first match, with all matches marked. */
export function snippet(message: string, typed: string): SnippetPart[] {
  const text = message.replace(/\s+/g, ' ').trim();
  const hits = hitsIn(text, typed);
  const first = hits[0]?.start ?? 0;
  const from = first <= LEAD ? 0 : wordStartFrom(text, first - LEAD, first);
  const to = text.length - from <= LENGTH ? text.length : wordEndBefore(text, from + LENGTH);

  const parts: SnippetPart[] = [];
  function add(part: string, hit: boolean): void {
    if (part !== '') parts.push({ text: part, hit });
  }
  let at = from;
  if (from > 0) add(CUT, false);
  for (const { start, end } of hits) {
    if (start < at || end > to) continue;
    add(text.slice(at, start), false);
    add(text.slice(start, end), true);
    at = end;
  }
  add(text.slice(at, to) + (to < text.length ? CUT : ''), false);
  return parts;
}

/** A name with matching word starts marked. */
export function markedName(name: string, typed: string): SnippetPart[] {
  const looked = wordsOf(typed).map(({ folded }) => ({ folded, unfinished: true }));
  const parts: SnippetPart[] = [];
  let at = 0;
  for (const word of wordsOf(name)) {
    const length = longestHit(word, looked);
    if (length === 0) continue;
    const end = endOf(word, length);
    if (word.start > at) parts.push({ text: name.slice(at, word.start), hit: false });
    parts.push({ text: name.slice(word.start, end), hit: true });
    at = end;
  }
  if (at < name.length) parts.push({ text: name.slice(at), hit: false });
  return parts;
}

/** Whether the server would find the text: it contains every word, the last one possibly incomplete. */
export function holdsAll(text: string, typed: string): boolean {
  const words = wordsOf(text);
  return lookedFor(typed).every((look) => words.some((word) => isHit(word, look)));
}

type Looked = { folded: string; unfinished: boolean };

function lookedFor(typed: string): Looked[] {
  const words = wordsOf(typed);
  return words.map(({ folded }, index) => ({ folded, unfinished: index === words.length - 1 }));
}

function isHit({ folded }: Word, look: Looked): boolean {
  return look.unfinished ? folded.startsWith(look.folded) : folded === look.folded;
}

function hitsIn(text: string, typed: string): { start: number; end: number }[] {
  const looked = lookedFor(typed);
  return wordsOf(text).flatMap((word) => {
    const longest = longestHit(word, looked);
    if (longest === 0) return [];
    return [{ start: word.start, end: endOf(word, longest) }];
  });
}

function longestHit(word: Word, looked: readonly Looked[]): number {
  return looked
    .filter((look) => isHit(word, look))
    .reduce((most, look) => Math.max(most, look.folded.length), 0);
}

/** The end of a folded character. A character that folds into two is marked as a whole. */
function endOf({ places }: Word, length: number): number {
  const last = places[length - 1];
  return places.slice(length).find((place) => place !== last) ?? places.at(-1) ?? 0;
}

/** After a nearby space, otherwise between two characters. */
function wordStartFrom(text: string, wanted: number, latest: number): number {
  const space = text.indexOf(' ', wanted);
  if (space !== -1 && space < latest) return space + 1;
  return isInsideCharacter(text, wanted) ? wanted + 1 : wanted;
}

function wordEndBefore(text: string, wanted: number): number {
  const space = text.lastIndexOf(' ', wanted);
  if (space > wanted - LEAD) return space;
  return isInsideCharacter(text, wanted) ? wanted - 1 : wanted;
}

function isInsideCharacter(text: string, at: number): boolean {
  return /[\udc00-\udfff]/.test(text[at] ?? '');
}

export function Marked({ parts }: { parts: readonly SnippetPart[] }) {
  return parts.map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no id but their position
    part.hit ? <mark key={index}>{part.text}</mark> : part.text,
  );
}

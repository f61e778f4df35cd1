import { attempt } from './attempt.ts';

export type Piece = string | { href: string; label: string };

/** Only what says http or https itself: a guess at 'something.like/this' would make links nobody wrote. */
const URL_LIKE = /\bhttps?:\/\/[^\s<>"]+/giu;

/** Marks that end a sentence are not part of the address before them. */
const TRAILING = /[.,:;!?'’"”…\])}]+$/u;

/** Cuts a text into words and links, in order; joined again it says the same. */
export function linkify(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(URL_LIKE)) {
    const address = withoutTail(match[0]);
    const url = attempt(() => new URL(address));
    if (!url) continue;
    if (match.index > end) pieces.push(text.slice(end, match.index));
    pieces.push({ href: url.href, label: honestLabel(address, url) });
    end = match.index + address.length;
  }
  if (end < text.length) pieces.push(text.slice(end));
  return pieces;
}

/** A closing bracket belongs to the address when it was opened in it, as in Wikipedia's. */
function withoutTail(raw: string): string {
  const tail = TRAILING.exec(raw)?.[0] ?? '';
  const bare = raw.slice(0, raw.length - tail.length);
  const closes = tail.startsWith(')') && bare.split('(').length > bare.split(')').length;
  return closes ? `${bare})` : bare;
}

/** An address that only looks like another's (mixed scripts) is shown as the machine reads it. */
function honestLabel(typed: string, url: URL): string {
  const host = /^https?:\/\/(?:[^/?#]*@)?([^/?#:]+)/i.exec(typed)?.[1] ?? '';
  return url.username === '' && host.toLowerCase() === url.hostname ? typed : url.href;
}

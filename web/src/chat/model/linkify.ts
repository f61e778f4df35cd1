import { attempt } from './attempt.ts';

export type Piece = string | { href: string; label: string };

/** Only explicit http and https links. Guessing would create links that nobody wrote. */
const URL_LIKE = /\bhttps?:\/\/[^\s<>"]+/giu;

/** Punctuation at the end is not part of the link. */
const TRAILING = /[.,:;!?'’"”…\])}]+$/u;

/** Splits a text into plain pieces and links, in order. */
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

/** A closing bracket belongs to the link if it was opened in it, as on Wikipedia. */
function withoutTail(raw: string): string {
  const tail = TRAILING.exec(raw)?.[0] ?? '';
  const bare = raw.slice(0, raw.length - tail.length);
  const closes = tail.startsWith(')') && bare.split('(').length > bare.split(')').length;
  return closes ? `${bare})` : bare;
}

/** Shows mixed-script domains in Punycode, so that they cannot imitate others. */
function honestLabel(typed: string, url: URL): string {
  const host = /^https?:\/\/(?:[^/?#]*@)?([^/?#:]+)/i.exec(typed)?.[1] ?? '';
  return url.username === '' && host.toLowerCase() === url.hostname ? typed : url.href;
}

/**
 * Splits a stream of XMPP into its stanzas: the elements within the stream's own, which stays open. It knows no CDATA
 * and no comments, which servers do not send.
 */
export class StanzaReader {
  #text = '';
  /** Everything before this position is read. */
  #at = 0;
  #depth = 0;

  /** The stanzas that this part completes. */
  read(part: string): string[] {
    const stanzas: string[] = [];
    this.#text += part;
    let start = 0;
    for (;;) {
      const open = this.#text.indexOf('<', this.#at);
      const end = open < 0 ? -1 : tagEnd(this.#text, open);
      if (end < 0) break;
      const before = this.#depth;
      if (before === 1) start = open;
      this.#at = end + 1;
      this.#depth += depthOf(this.#text, open, end);
      if (before > 0 && this.#depth === 1) stanzas.push(this.#text.slice(start, this.#at));
      if (this.#depth <= 1) start = this.#at;
    }
    this.#text = this.#text.slice(start);
    this.#at -= start;
    return stanzas;
  }
}

/** What a tag adds to the depth. The declaration at the start adds nothing. */
function depthOf(text: string, open: number, end: number): number {
  if (text[open + 1] === '/') return -1;
  return text[open + 1] === '?' || text[end - 1] === '/' ? 0 : 1;
}

/** The position of a tag's `>`, which may also occur within quotes; -1 if it has not arrived. */
function tagEnd(text: string, open: number): number {
  let quote = '';
  for (let at = open + 1; at < text.length; at += 1) {
    const letter = text[at] as string;
    if (quote !== '') {
      if (letter === quote) quote = '';
    } else if (letter === '"' || letter === "'") quote = letter;
    else if (letter === '>') return at;
  }
  return -1;
}

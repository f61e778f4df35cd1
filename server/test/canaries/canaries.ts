import { randomBytes } from 'node:crypto';

/** What a person, a browser or the server itself keeps secret in a story; none of it may turn up in a log. */
export class Canaries {
  readonly #all = new Map<string, string>();

  /** A word that nobody would write by chance, to be put into a field of this name. */
  word(field: string): string {
    return this.keep(field, `zq${randomBytes(5).toString('hex')}`);
  }

  /** A secret that the server made. What is shorter could be there by chance. */
  keep(field: string, value: string): string {
    if (value.length < 8) throw new Error(`${field} is too short to be looked for`);
    this.#all.set(value, field);
    return value;
  }

  fields(): string[] {
    return [...new Set(this.#all.values())].toSorted();
  }

  /** The fields whose words are in this text, in any writing that a log might choose. */
  foundIn(text: string): string[] {
    const lower = text.toLowerCase();
    const has = (value: string): boolean =>
      [
        value,
        encodeURIComponent(value),
        Buffer.from(value).toString('base64url'),
        Buffer.from(value).toString('hex'),
      ]
        .map((written) => written.toLowerCase())
        .some((written) => lower.includes(written));
    return [...this.#all].filter(([value]) => has(value)).map(([, field]) => field);
  }
}

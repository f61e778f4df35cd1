import { randomBytes } from 'node:crypto';

/** Secrets of persons, browsers and the server in a story. No log may contain any of them. */
export class Canaries {
  readonly #all = new Map<string, string>();

  /** A unique word for a field of this name. Letters only: a password may not have the letters of a name. */
  word(field: string): string {
    const letters = Array.from(randomBytes(12), (byte) => String.fromCharCode(97 + (byte % 26)));
    return this.keep(field, `zq${letters.join('')}`);
  }

  /** Adds a secret that the server made. A shorter one could occur by chance. */
  keep(field: string, value: string): string {
    if (value.length < 8) throw new Error(`${field} is too short to be looked for`);
    this.#all.set(value, field);
    return value;
  }

  fields(): string[] {
    return [...new Set(this.#all.values())].toSorted();
  }

  /** The fields whose secrets occur in this text, in any encoding that a log might use. */
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

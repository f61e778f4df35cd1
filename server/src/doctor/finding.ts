/** One line of `settee doctor`. */
export type Finding = {
  /** The subject, in a word or two. */
  check: string;
  level: 'ok' | 'warning' | 'failure';
  says: string;
  /** What to do, if anything. */
  remedy?: string;
};

/** Collects findings about one subject. */
export class About {
  readonly found: Finding[];
  readonly #check: string;

  constructor(check: string, found: Finding[] = []) {
    this.#check = check;
    this.found = found;
  }

  /** For findings about another subject, in the same list. */
  on(check: string): About {
    return new About(check, this.found);
  }

  ok(says: string): void {
    this.found.push({ check: this.#check, level: 'ok', says });
  }

  warn(says: string, remedy: string): void {
    this.found.push({ check: this.#check, level: 'warning', says, remedy });
  }

  fail(says: string, remedy: string): void {
    this.found.push({ check: this.#check, level: 'failure', says, remedy });
  }
}

/** A short reason without the error's message, which could contain a URL with a password. */
export function reason(error: unknown): string {
  const { code, cause, name } = error as { code?: unknown; cause?: { code?: unknown }; name?: unknown };
  const word = [code, cause?.code, name].find((each) => typeof each === 'string' || typeof each === 'number');
  return word === undefined ? 'no reason given' : String(word);
}

/** "1 warning", "2 warnings". */
export function countOf(count: number, thing: string): string {
  const plural = thing.endsWith('s') ? `${thing}es` : `${thing}s`;
  return `${count} ${count === 1 ? thing : plural}`;
}

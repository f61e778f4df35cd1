/** One line of what `settee doctor` says. */
export type Finding = {
  /** What was looked at, in a word or two. */
  check: string;
  level: 'ok' | 'warning' | 'failure';
  says: string;
  /** What to do; missing where there is nothing to do. */
  remedy?: string;
};

/** What is found about one thing: the same word for all of it. */
export class About {
  readonly found: Finding[] = [];
  readonly #check: string;

  constructor(check: string) {
    this.#check = check;
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

/** Why something did not work, in a word and without what was sent: a message could hold an address with a password. */
export function reason(error: unknown): string {
  const { code, cause, name } = error as { code?: unknown; cause?: { code?: unknown }; name?: unknown };
  return String(code ?? cause?.code ?? name ?? 'no reason given');
}

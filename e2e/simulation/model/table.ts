/** What undoes the changes so far; undefined outside of a statement or transaction. */
export type Journal = { undo: (() => void)[] | undefined };

/** Rows by key. Rows never change: an update stores another one. */
export class Table<Row extends object> {
  readonly #rows = new Map<string, Row>();
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  get(key: string): Row | undefined {
    return this.#rows.get(key);
  }

  set(key: string, row: Row): void {
    this.#remember(key);
    this.#rows.set(key, row);
  }

  update(key: string, change: Partial<Row>): void {
    const row = this.#rows.get(key);
    if (row !== undefined) this.set(key, { ...row, ...change });
  }

  /** Returns false if there was none. */
  delete(key: string): boolean {
    this.#remember(key);
    return this.#rows.delete(key);
  }

  all(): Row[] {
    return [...this.#rows.values()];
  }

  keys(): string[] {
    return [...this.#rows.keys()];
  }

  where(matches: (row: Row) => boolean): Row[] {
    return this.all().filter(matches);
  }

  find(matches: (row: Row) => boolean): Row | undefined {
    for (const row of this.#rows.values()) if (matches(row)) return row;
    return undefined;
  }

  #remember(key: string): void {
    const before = this.#rows.get(key);
    this.#journal.undo?.push(() => {
      if (before === undefined) this.#rows.delete(key);
      else this.#rows.set(key, before);
    });
  }
}

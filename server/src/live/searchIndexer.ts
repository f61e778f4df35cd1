import type { App } from '../platform/app.ts';
import { repeatEvery } from '../platform/limits/repeatEvery.ts';
import { type Indexing, indexSlice } from '../search/searchIndex.store.ts';
import type { Desks } from './desks.ts';

/** Long enough to index many messages at once, short enough to leave little work to a search. */
const INTERVAL_MS = 5_000;
/** Maximum slices per desk and round, so that no desk delays the others, and for the marked ones of all desks. */
const SLICES = 20;
/** Nobody waits for it, so it may take longer than a slice within a search. */
const SLICE_MS = 2_000;

/** Rounds that leave the database to live messages. After these, one runs anyway. */
const SKIPPED_MAX = 11;

/** Keeps the search index up to date, in the background: the open conversations of watched desks, and all marked ones. */
export class SearchIndexer {
  readonly #app: App;
  readonly #desks: Desks;
  readonly #loop: ReturnType<typeof repeatEvery>;
  #skipped = 0;
  #stopped = false;

  constructor(app: App, desks: Desks) {
    this.#app = app;
    this.#desks = desks;
    this.#loop = repeatEvery(app.clock, INTERVAL_MS, () => this.#round());
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#loop.stop();
  }

  async #round(): Promise<void> {
    if (this.#app.appender.isBusy() && this.#skipped < SKIPPED_MAX) {
      this.#skipped += 1;
      return;
    }
    this.#skipped = 0;
    const work: Pick<Indexing, 'alias' | 'what'>[] = [
      ...this.#desks.aliases().map((alias) => ({ alias, what: 'open' as const })),
      { alias: null, what: 'due' },
    ];
    for (const part of work) {
      try {
        await this.#index(part);
      } catch (error) {
        // Only the code: the error may quote a message. The other desks are still indexed.
        this.#app.log.warn({ code: (error as { code?: string }).code }, 'search index not updated');
      }
    }
  }

  async #index(part: Pick<Indexing, 'alias' | 'what'>): Promise<void> {
    for (let slice = 0; slice < SLICES && !this.#stopped; slice += 1) {
      const indexed = await indexSlice(this.#app.db, { ...part, wait: false, ms: SLICE_MS });
      if (indexed !== 'more') return;
    }
  }
}

import type { App } from '../app.ts';
import { indexSlice } from '../db/search/searchIndex.ts';
import { repeatEvery } from '../limits/repeatEvery.ts';
import type { Desks } from './desks.ts';

/** Long enough to index many messages at once, short enough to leave little work to a search. */
const INTERVAL_MS = 5_000;
/** Maximum slices per desk and round, so that no desk delays the others. */
const SLICES = 20;
/** Nobody waits for it, so it may take longer than a slice within a search. */
const SLICE_MS = 2_000;

/** Keeps the search index of the watched desks up to date, in the background. */
export class SearchIndexer {
  readonly #app: App;
  readonly #desks: Desks;
  readonly #loop: ReturnType<typeof repeatEvery>;
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
    for (const alias of this.#desks.aliases()) {
      try {
        await this.#indexDesk(alias);
      } catch (error) {
        // Only the code: the error may quote a message. The other desks are still indexed.
        this.#app.log.warn({ code: (error as { code?: string }).code }, 'search index not updated');
      }
    }
  }

  async #indexDesk(alias: string): Promise<void> {
    for (let slice = 0; slice < SLICES && !this.#stopped; slice += 1) {
      const indexed = await indexSlice(this.#app.db, { alias, open: true, wait: false, ms: SLICE_MS });
      if (indexed !== 'more') return;
    }
  }
}

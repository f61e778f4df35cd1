import type { App } from '../app.ts';
import { indexSlice } from '../db/search/searchIndex.ts';
import type { Desks } from './desks.ts';

/** Seldom enough to take in many messages at once, often enough that a search finds little left to do. */
const PAUSE_MS = 5_000;
/** Slices a round and desk: the rest waits, so that no desk keeps the others waiting. */
const SLICES = 20;
/** Nobody waits for a slice here, so it may take longer than in a search: what is too slow there goes in here. */
const SLICE_MS = 2_000;

/** Keeps the search index of the desks that somebody watches here up to date, behind the messages. */
export class SearchIndexer {
  readonly #app: App;
  readonly #desks: Desks;
  #stopped = false;
  #cancel: () => void = () => {};
  #running: Promise<void> | undefined;

  constructor(app: App, desks: Desks) {
    this.#app = app;
    this.#desks = desks;
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#running;
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#cancel = this.#app.clock.after(PAUSE_MS, () => {
      this.#running = this.#round().finally(() => this.#schedule());
    });
  }

  async #round(): Promise<void> {
    for (const alias of this.#desks.aliases()) {
      try {
        await this.#keepUp(alias);
      } catch (error) {
        // An error here may quote a message: its code says enough. The other desks have their turn all the same.
        this.#app.log.warn({ code: (error as { code?: string }).code }, 'search index not kept up');
      }
    }
  }

  async #keepUp(alias: string): Promise<void> {
    for (let slice = 0; slice < SLICES && !this.#stopped; slice += 1) {
      const indexed = await indexSlice(this.#app.db, { alias, open: true, wait: false, ms: SLICE_MS });
      if (indexed !== 'more') return;
    }
  }
}

import type { App } from '../app.ts';
import { indexSlice } from '../db/searchIndex.ts';
import type { Desks } from './desks.ts';

/** Seldom enough to take in many messages at once, often enough that a search finds little left to do. */
const PAUSE_MS = 5_000;
/** Slices a round and desk: the rest waits, so that no desk keeps the others waiting. */
const SLICES = 5;

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
      this.#running = this.#round()
        .catch((error: unknown) => {
          // An error here may quote a message: its code says enough.
          this.#app.log.warn({ code: (error as { code?: string }).code }, 'search index not kept up');
        })
        .finally(() => this.#schedule());
    });
  }

  async #round(): Promise<void> {
    for (const alias of this.#desks.aliases()) {
      for (let slice = 0; slice < SLICES && !this.#stopped; slice += 1) {
        if (!(await indexSlice(this.#app.db, { alias, open: true, wait: false }))) break;
      }
    }
  }
}

import type { Caller } from '../caller.ts';
import { Limiter } from './concurrency.ts';

/** The part of the connections that visitors' reads use at once. */
const SHARE = 0.2;
const MIN = 2;
/** Beyond this, a page should rather ask again later. */
const WAIT_MAX_MS = 1_000;

/**
 * Reads of conversations over sockets, those of visitors few at once. Thousands of pages may ask at the same moment, and
 * messages and staff must not wait for them.
 */
export class VisitorReads {
  readonly #limiter: Limiter;

  constructor(connections: number) {
    this.#limiter = new Limiter(Math.max(MIN, Math.floor(SHARE * connections)));
  }

  run<T>({ kind }: Caller, read: () => Promise<T>): Promise<T> {
    return kind === 'visitor' ? this.#limiter.run(read) : read();
  }

  /** Another read would wait too long. */
  isBusy(): boolean {
    return this.#limiter.longestWait() > WAIT_MAX_MS;
  }
}

import type { Caller } from '../ports/caller.ts';
import { Limiter } from './concurrency.ts';
import { visitorReadLimits } from './table.ts';

const MIN = 2;

/**
 * Reads of conversations over sockets, those of visitors few at once. Thousands of pages may ask at the same moment, and
 * messages and staff must not wait for them.
 */
export class VisitorReads {
  readonly #limiter: Limiter;

  constructor(connections: number) {
    this.#limiter = new Limiter(Math.max(MIN, Math.floor(visitorReadLimits.share * connections)));
  }

  run<T>({ kind }: Caller, read: () => Promise<T>): Promise<T> {
    return kind === 'visitor' ? this.#limiter.run(read) : read();
  }

  /** Another read would wait too long. */
  isBusy(): boolean {
    return this.#limiter.longestWait() > visitorReadLimits.waitMaxMs;
  }
}

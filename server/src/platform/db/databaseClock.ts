import type { Clock } from '../ports/ports.ts';
import { type Database, readDatabaseTime } from './database.ts';

const COMPARE_MS = 10_000;
/** One minute of samples: enough to include a quick one, few enough to follow clock drift. */
const SAMPLES_MAX = 6;

type Sample = { ahead: number; error: number };

/**
 * An estimate of PostgreSQL's clock. Messages carry the time of PostgreSQL and any gateway may deliver them, so latency
 * must be measured with that clock. Uses the sample with the shortest round trip; its error is at most half of it.
 */
export class DatabaseClock {
  readonly #db: Database;
  readonly #clock: Clock;
  #samples: readonly Sample[] = [];
  #ahead: number | undefined;
  #stopped = false;
  #cancel: () => void = () => {};

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    void this.#compare();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  /** Undefined until the first sample. */
  secondsSince(databaseMs: number): number | undefined {
    if (this.#ahead === undefined) return undefined;
    return Math.max(0, Date.now() + this.#ahead - databaseMs) / 1_000;
  }

  async #compare(): Promise<void> {
    try {
      const asked = Date.now();
      const theirs = await readDatabaseTime(this.#db);
      const answered = Date.now();
      const sample = { ahead: theirs - (asked + answered) / 2, error: (answered - asked) / 2 };
      this.#samples = [...this.#samples, sample].slice(-SAMPLES_MAX);
      this.#ahead = this.#samples.reduce((best, each) => (each.error <= best.error ? each : best)).ahead;
    } catch {
      // PostgreSQL is unreachable. The last estimate is still good for a while.
    }
    if (!this.#stopped) this.#cancel = this.#clock.after(COMPARE_MS, () => void this.#compare());
  }
}

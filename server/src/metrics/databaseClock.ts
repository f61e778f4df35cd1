import { type Database, readDatabaseTime } from '../db/engine/database.ts';
import type { Clock } from '../ports.ts';

const COMPARE_MS = 10_000;
/** A minute's looks: long enough for a quick one among them, short enough for a clock that drifts. */
const KEPT = 6;

type Look = { ahead: number; error: number };

/**
 * What PostgreSQL's clock says, without asking each time. A message carries the time that PostgreSQL gave it, and any
 * gateway may deliver it: only by the one clock that all of them can ask is the time between the two true. Of the last
 * looks the quickest counts, and is wrong by half its round trip at most.
 */
export class DatabaseClock {
  readonly #db: Database;
  readonly #clock: Clock;
  #looks: readonly Look[] = [];
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

  /** Seconds since then, by PostgreSQL's clock; undefined until that is known. */
  secondsSince(databaseMs: number): number | undefined {
    if (this.#ahead === undefined) return undefined;
    return Math.max(0, Date.now() + this.#ahead - databaseMs) / 1_000;
  }

  async #compare(): Promise<void> {
    try {
      const asked = Date.now();
      const theirs = await readDatabaseTime(this.#db);
      const answered = Date.now();
      const look = { ahead: theirs - (asked + answered) / 2, error: (answered - asked) / 2 };
      this.#looks = [...this.#looks, look].slice(-KEPT);
      this.#ahead = this.#looks.reduce((best, each) => (each.error <= best.error ? each : best)).ahead;
    } catch {
      // Away: what is known still holds for a while.
    }
    if (!this.#stopped) this.#cancel = this.#clock.after(COMPARE_MS, () => void this.#compare());
  }
}

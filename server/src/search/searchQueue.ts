import { Refusal } from '../platform/auth/refusal.ts';

/** Maximum searches at once per gateway: they share its connections to PostgreSQL. */
const AT_ONCE = 3;
/** Maximum waiting searches. More would wait too long. */
const WAITING_MAX = 20;

export type SearchRun = {
  /** A newer search replaced this one: it should end soon. */
  outdated: boolean;
};

/** Limits concurrent searches, and runs one per session: only the newest text matters. */
export class SearchQueue {
  readonly #running = new Map<string, SearchRun>();
  /** In order of arrival. */
  readonly #waiting = new Map<string, (run: SearchRun | undefined) => void>();

  /** Returns undefined if a newer search of this session replaced this one. */
  async run<Answer>(
    session: string,
    search: (run: SearchRun) => Promise<Answer>,
  ): Promise<Answer | undefined> {
    this.#endOlder(session);
    if (this.#waiting.size >= WAITING_MAX) throw new Refusal('too_many');
    const run = await new Promise<SearchRun | undefined>((start) => {
      this.#waiting.set(session, start);
      this.#startNext();
    });
    if (run === undefined) return undefined;
    try {
      return await search(run);
    } finally {
      this.#running.delete(session);
      this.#startNext();
    }
  }

  #endOlder(session: string): void {
    const running = this.#running.get(session);
    if (running !== undefined) running.outdated = true;
    this.#waiting.get(session)?.(undefined);
    this.#waiting.delete(session);
  }

  #startNext(): void {
    for (const [session, start] of this.#waiting) {
      if (this.#running.size >= AT_ONCE) return;
      if (this.#running.has(session)) continue;
      this.#waiting.delete(session);
      const run = { outdated: false };
      this.#running.set(session, run);
      start(run);
    }
  }
}

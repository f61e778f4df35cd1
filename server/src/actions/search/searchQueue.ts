import { Refusal } from '../../auth/refusal.ts';

/** Searches that a gateway does at once: they share its connections to PostgreSQL with everything else. */
const AT_ONCE = 3;
/** More than so many in the queue would wait longer than anybody looks at an empty list. */
const WAITING_MAX = 20;

export type SearchRun = {
  /** Nobody waits for this answer any more: it should end soon. */
  outdated: boolean;
};

/** Lets few searches run at once, and one for each session: whoever types on wants the newest answer only. */
export class SearchQueue {
  readonly #running = new Map<string, SearchRun>();
  /** In the order they came. */
  readonly #waiting = new Map<string, (turn: SearchRun | undefined) => void>();

  /** Undefined when a newer search of this session came before its turn. */
  async run<Answer>(
    session: string,
    search: (turn: SearchRun) => Promise<Answer>,
  ): Promise<Answer | undefined> {
    this.#endOlder(session);
    if (this.#waiting.size >= WAITING_MAX) throw new Refusal('too_many');
    const turn = await new Promise<SearchRun | undefined>((start) => {
      this.#waiting.set(session, start);
      this.#startNext();
    });
    if (turn === undefined) return undefined;
    try {
      return await search(turn);
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
      const turn = { outdated: false };
      this.#running.set(session, turn);
      start(turn);
    }
  }
}

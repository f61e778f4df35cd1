import { type Owner, scheduler } from './time.ts';

type Waiting = { name: string; page: Owner; grant: () => void };

/** The locks of a browser. A page that closes releases its own. */
export class Locks {
  readonly #held = new Map<string, Owner>();
  #waiting: Waiting[] = [];

  of(page: Owner): Pick<LockManager, 'request'> {
    const request = (
      name: string,
      { ifAvailable = false, signal }: LockOptions,
      use: (lock: object | null) => Promise<void> | null,
    ): Promise<void> =>
      new Promise((resolve, reject) => {
        const waiting: Waiting = {
          name,
          page,
          grant: () => {
            this.#held.set(name, page);
            const run = (): void =>
              void Promise.resolve(use({})).then(() => {
                this.#release(name, page);
                resolve();
              }, reject);
            scheduler.after(0, run, page);
          },
        };
        if (!this.#held.has(name)) return waiting.grant();
        if (ifAvailable) return resolve(use(null) ?? undefined);
        this.#waiting.push(waiting);
        signal?.addEventListener('abort', () => {
          this.#waiting = this.#waiting.filter((each) => each !== waiting);
          reject(new Error('aborted'));
        });
      });
    return { request: request as unknown as LockManager['request'] };
  }

  pageClosed(page: Owner): void {
    this.#waiting = this.#waiting.filter((each) => each.page !== page);
    for (const [name, holder] of [...this.#held]) if (holder === page) this.#release(name, page);
  }

  #release(name: string, page: Owner): void {
    if (this.#held.get(name) !== page) return;
    this.#held.delete(name);
    const next = this.#waiting.find((each) => each.name === name);
    this.#waiting = this.#waiting.filter((each) => each !== next);
    next?.grant();
  }
}

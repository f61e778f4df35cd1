import type { OutboxEntry } from '../../web/src/chat/model/conversationState.ts';
import type { Outbox } from '../../web/src/chat/outbox/outbox.ts';
import { memoryStorage } from '../../web/test/memoryStorage.ts';
import type { Random } from '../proof/random.ts';
import type { Rows } from './replaced/browser.ts';
import { type Owner, scheduler } from './time.ts';

/** A browser: what survives when its pages close. */
export class Device {
  readonly name: string;
  readonly storage: Storage;
  readonly locks = new Locks();
  /** Called when a database has stored a row. */
  onKept: (row: object) => void = () => {};
  readonly #databases = new Map<string, Map<string, object>>();
  readonly #unsent = new Map<string, OutboxEntry[]>();
  readonly #random: Random;
  /** Databases of a browser run their transactions, and answer, in order. */
  #lastWrite = 0;
  #lastAnswer = 0;

  readonly #delay: () => number;

  /** `delay` returns the longest time that its disk takes. */
  constructor(name: string, random: Random, delay: () => number) {
    this.name = name;
    this.#delay = delay;
    this.#random = random;
    this.storage = listed(memoryStorage());
  }

  unsent(whose: string): readonly OutboxEntry[] {
    return this.#unsent.get(whose) ?? [];
  }

  /** All rows of its databases. */
  kept(): object[] {
    return [...this.#databases.values()].flatMap((rows) => [...rows.values()]);
  }

  /** A database as one page sees it. */
  database(name: string, page: Owner): Rows {
    const rows = this.#databases.get(name) ?? new Map<string, object>();
    this.#databases.set(name, rows);
    const ask = <T>(run: () => T): Promise<T> => this.#transaction(page, run);
    return {
      put: (row) =>
        ask(() => {
          rows.set(row.id, row);
          this.onKept(row);
        }),
      get: (id) => ask(() => rows.get(id)),
      getAll: () => ask(() => [...rows.values()]),
      delete: (id) => ask(() => void rows.delete(id)),
    };
  }

  /** The outbox as one page sees it. It answers late, and a page may close before and after each change. */
  outbox(whose: string, page: Owner): Outbox {
    const change = (how: (entries: OutboxEntry[]) => OutboxEntry[]): Promise<void> =>
      this.#transaction(page, () => {
        this.#unsent.set(whose, how(this.#unsent.get(whose) ?? []));
      });
    const without = (id: string) => (entries: OutboxEntry[]) => entries.filter((entry) => entry.id !== id);
    const marked = (id: string, refused: boolean) => (entries: OutboxEntry[]) =>
      entries.map((entry) => (entry.id === id ? { ...entry, refused } : entry));
    const listAll = (): Promise<OutboxEntry[]> =>
      this.#transaction(page, () => [...(this.#unsent.get(whose) ?? [])]);
    return {
      put: (entry) =>
        change((entries) =>
          entries.some(({ id }) => id === entry.id) ? entries : [...entries, { ...entry }],
        ),
      remove: (id) => change(without(id)),
      refuse: (id, final = true) => change(marked(id, final)),
      again: (id) =>
        change((entries) => {
          const found = entries.filter((entry) => entry.id === id);
          return [...without(id)(entries), ...found.map((entry) => ({ ...entry, refused: false }))];
        }),
      listAll,
      list: async (conversationId) =>
        (await listAll()).filter((entry) => entry.conversationId === conversationId),
    };
  }

  #transaction<T>(page: Owner, run: () => T): Promise<T> {
    return new Promise((resolve) => {
      this.#lastWrite = Math.max(this.#lastWrite, scheduler.now + this.#random.between(0.1, this.#delay()));
      const commit = (): void => {
        const result = run();
        this.#lastAnswer = Math.max(this.#lastAnswer, scheduler.now + this.#random.between(0.1, 4));
        scheduler.after(this.#lastAnswer - scheduler.now, () => resolve(result), page);
      };
      scheduler.after(this.#lastWrite - scheduler.now, commit, page);
    });
  }
}

/** Lists its keys as its own properties, as a browser's does. */
function listed(storage: Storage): Storage {
  return new Proxy({} as Storage, {
    get: (_, key) => Reflect.get(storage, key) as unknown,
    ownKeys: () => Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? ''),
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  });
}

type Waiting = { name: string; page: Owner; grant: () => void };

/** The locks of a browser. A page that closes releases its own. */
class Locks {
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

import type { Unsent } from '../../web/src/chat/model/unsent.ts';
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
  readonly #unsent = new Map<string, Unsent[]>();
  readonly #listeners = new Map<Owner, Set<(event: StorageEvent) => void>>();
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

  /** Its storage as one page changes it. Its other pages learn of that a little later. */
  storageOf(page: Owner): Storage {
    const { storage } = this;
    const change = (key: string, newValue: string | null): void => {
      const oldValue = storage.getItem(key);
      if (newValue === null) storage.removeItem(key);
      else storage.setItem(key, newValue);
      if (oldValue === newValue) return;
      for (const [other, listeners] of this.#listeners) {
        if (other === page) continue;
        const tell = (): void => {
          for (const listener of listeners) listener({ key, oldValue, newValue } as StorageEvent);
        };
        scheduler.after(this.#random.between(0.1, 4), tell, other);
      }
    };
    return new Proxy(storage, {
      get: (_, key) => {
        if (key === 'setItem') return change;
        if (key === 'removeItem') return (name: string) => change(name, null);
        return Reflect.get(storage, key) as unknown;
      },
    });
  }

  /** The listeners of a page for `storage`. */
  listeners(page: Owner): Set<(event: StorageEvent) => void> {
    const listeners = this.#listeners.get(page) ?? new Set();
    this.#listeners.set(page, listeners);
    return listeners;
  }

  /** All texts that it keeps in its storage. */
  texts(): string[] {
    const keys = Array.from({ length: this.storage.length }, (_, at) => this.storage.key(at) ?? '');
    return keys
      .filter((key) => key.startsWith('unsent_'))
      .map((key) => (JSON.parse(this.storage.getItem(key) ?? '{}') as Unsent).text);
  }

  unsent(whose: string): readonly Unsent[] {
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
    const change = (how: (records: Unsent[]) => Unsent[]): Promise<void> =>
      this.#transaction(page, () => {
        this.#unsent.set(whose, how(this.#unsent.get(whose) ?? []));
      });
    const without = (id: string) => (records: Unsent[]) => records.filter((record) => record.id !== id);
    const listAll = (): Promise<Unsent[]> =>
      this.#transaction(page, () => [...(this.#unsent.get(whose) ?? [])]);
    return {
      put: (record) =>
        change((records) =>
          records.some(({ id, state }) => id === record.id && state === 'queued')
            ? records
            : [...without(record.id)(records), { ...record }],
        ),
      mark: ({ id, state }) =>
        change((records) => records.map((record) => (record.id === id ? { ...record, state } : record))),
      remove: (id) => change(without(id)),
      listAll,
      list: async (conversationId) =>
        (await listAll()).filter((record) => record.conversationId === conversationId),
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

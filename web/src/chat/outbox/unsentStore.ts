import { createEmitter } from '../../browser/createStore.ts';
import { type Clock, systemClock } from '../../net/clock.ts';
import { randomId } from '../../net/randomId.ts';
import { attempt } from '../model/attempt.ts';
import type { Unsent } from '../model/unsent.ts';
import { indexedDbOutbox } from './indexedDbOutbox.ts';
import type { Outbox } from './outbox.ts';

/** Timeout of the database. Some browsers never answer. */
const ANSWER_WITHIN_MS = 2_000;
/** Timeout after the first one expired. */
const ANSWER_AGAIN_WITHIN_MS = 100;

/** The outbox of a page, and its drafts: see draft.ts. */
export type UnsentStore = Outbox & {
  /** Drafts, and what was not sent. */
  all(): readonly Unsent[];
  subscribe(listener: () => void): () => void;
  keep(record: Unsent): void;
  forget(id: string): void;
  /** Gives it another id. */
  renew(record: Unsent): void;
  /** The record in each composer. */
  shown: Map<string, string>;
  /** Taken from a composer by this page, until the database or the server has it. */
  leaving: Set<string>;
  now(): number;
  createId(): string;
  stop(): void;
};

export function browserUnsent(whose: string): UnsentStore {
  return unsentStore({
    database: indexedDbOutbox(whose),
    storage: () => localStorage,
    elsewhere(changed) {
      addEventListener('storage', changed);
      return () => removeEventListener('storage', changed);
    },
    whose,
    clock: systemClock,
    createId: randomId,
  });
}

type StorageChange = Pick<StorageEvent, 'key' | 'oldValue' | 'newValue'>;

type Parts = {
  database: Outbox;
  storage: () => Storage;
  /** Reports what other windows change. Returns a function that stops it. */
  elsewhere: (changed: (change: StorageChange) => void) => () => void;
  whose: string;
  clock: Clock;
  createId: () => string;
};

/**
 * All unsent texts of a person in this browser. localStorage has a record from the first key, because a page can write
 * it before anything else happens, and other windows learn of it. Once the database has a queued one, it is only there:
 * the service worker can read that. If the database fails or is slow, the record stays in localStorage; without
 * localStorage, in this page.
 */
export function unsentStore({ database, storage, elsewhere, whose, clock, createId }: Parts): UnsentStore {
  const prefix = `unsent_${whose}_`;
  const records = new Map<string, Unsent>();
  const shown = new Map<string, string>();
  const leaving = new Set<string>();
  const changes = createEmitter();
  let patience = ANSWER_WITHIN_MS;

  function keep(record: Unsent): void {
    records.set(record.id, record);
    attempt(() => storage().setItem(keyOf(record), JSON.stringify(record)));
    changes.emit();
  }

  function forget(id: string): void {
    const record = records.get(id);
    leaving.delete(id);
    if (!record) return;
    records.delete(id);
    attempt(() => storage().removeItem(keyOf(record)));
    changes.emit();
  }

  /** Ends with the conversation's id, so that leaving a chat finds it. */
  function keyOf({ id, conversationId }: Unsent): string {
    return `${prefix}${id}_${conversationId}`;
  }

  const keys = (): string[] =>
    attempt(() => Array.from({ length: storage().length }, (_, at) => storage().key(at) ?? '')) ?? [];
  const kept = keys()
    .filter((key) => key.startsWith(prefix))
    .flatMap((key) => parsed(attempt(() => storage().getItem(key))) ?? []);
  for (const record of kept.sort((a, b) => a.at - b.at)) records.set(record.id, record);
  const converted = hasOldRecords(keys(), whose)
    ? import('./oldRecords.ts')
        .then(({ takeOldRecords }) => takeOldRecords(storage(), keys(), whose, createId).forEach(keep))
        .catch((error: unknown) => console.error('drafts:', error))
    : undefined;

  /** What another window changed. A text that was changed in both gets an id of its own here, so that none is lost. */
  function onStorage({ key, oldValue, newValue }: StorageChange): void {
    if (!key?.startsWith(prefix)) return;
    const before = parsed(oldValue);
    const now = parsed(newValue);
    const { id } = now ?? before ?? { id: '' };
    if (leaving.has(id)) return;
    const own = records.get(id);
    const expected = now && now.state !== 'draft' ? now : before;
    if (own?.state === 'draft' && shown.get(placeOf(own)) === id && own.text !== expected?.text) renew(own);
    if (now) records.set(id, now);
    else records.delete(id);
    changes.emit();
  }
  const stop = elsewhere(onStorage);

  function renew({ tried: _, ...record }: Unsent): void {
    const id = createId();
    shown.set(placeOf(record), id);
    keep({ ...record, id });
  }

  /** Undefined if the database failed or timed out. */
  async function inTime<T>(asked: Promise<T>): Promise<{ answer: T } | undefined> {
    let timer: unknown;
    const late = new Promise<undefined>((resolve) => {
      timer = clock.setTimeout(() => {
        patience = ANSWER_AGAIN_WITHIN_MS;
        resolve(undefined);
      }, patience);
    });
    const answered = asked.then(
      (answer) => {
        patience = ANSWER_WITHIN_MS;
        return { answer };
      },
      (error: unknown) => {
        console.error('outbox:', error);
        return undefined;
      },
    );
    const first = await Promise.race([answered, late]);
    clock.clearTimeout(timer);
    return first;
  }

  /** In localStorage first, so that no moment is without it. */
  async function stored(record: Unsent, how: 'put' | 'mark'): Promise<void> {
    // At the end, unless it is queued.
    if (how === 'put' && records.get(record.id)?.state !== 'queued') records.delete(record.id);
    keep(record);
    const inDatabase = database[how](record).then(() => {
      leaving.delete(record.id);
      if (record.state === 'queued' && records.get(record.id) === record) forget(record.id);
    });
    await inTime(inDatabase);
  }

  async function remove(id: string): Promise<void> {
    if (records.get(id)?.state !== 'draft') forget(id);
    await inTime(database.remove(id));
  }

  /** A record that is queued here is newer in the database, and any other one here. */
  async function merged(asked: Promise<Unsent[]>): Promise<Unsent[]> {
    const inDatabase = (await inTime(asked))?.answer ?? [];
    await converted;
    const here = [...records.values()].filter(({ state }) => state !== 'draft');
    const known = new Set(inDatabase.map(({ id }) => id));
    const all = [
      ...inDatabase.flatMap((record) => {
        const own = records.get(record.id);
        // Its page closed after it returned to the composer, but before the database removed it.
        if (own?.state === 'draft') void inTime(database.remove(record.id));
        if (!own && record.state !== 'queued') records.set(record.id, record);
        return own?.state === 'draft' ? [] : [own && own.state !== 'queued' ? own : record];
      }),
      ...here.filter(({ id }) => !known.has(id)),
    ];
    changes.emit();
    return all;
  }

  // Its page closed before the database had it. What is sent from now on comes later.
  const left = [...records.values()].filter(({ state }) => state === 'queued');
  for (const record of left) void stored(record, 'put');

  return {
    all: () => [...records.values()],
    subscribe: changes.subscribe,
    keep,
    forget,
    renew,
    shown,
    leaving,
    now: clock.now,
    createId,
    put: (record) => stored(record, 'put'),
    mark: (record) => stored(record, 'mark'),
    remove,
    async list(conversationId) {
      return (await merged(database.list(conversationId))).filter(
        (record) => record.conversationId === conversationId,
      );
    },
    listAll: () => merged(database.listAll()),
    stop,
  };
}

/** Whether version 0.2.0 left something. Most pages never load what converts it. */
function hasOldRecords(keys: readonly string[], whose: string): boolean {
  return keys.some((key) => key.startsWith('draft_') || key === `unsent_${whose}`);
}

/** One composer. */
export function placeOf({ conversationId, note }: Pick<Unsent, 'conversationId' | 'note'>): string {
  return note ? `${conversationId} note` : conversationId;
}

function parsed(value: string | null | undefined): Unsent | undefined {
  return attempt(() => JSON.parse(value ?? '') as Unsent);
}

import { type Clock, systemClock } from '../../net/clock.ts';
import { attempt } from '../model/attempt.ts';
import type { OutboxEntry } from '../model/conversationState.ts';
import { indexedDbOutbox } from './indexedDbOutbox.ts';
import type { Outbox } from './outbox.ts';

/** How long the browser's database may take. Some never answer. */
const ANSWER_WITHIN_MS = 2_000;
/** The same, after it did not answer in time. */
const ANSWER_AGAIN_WITHIN_MS = 100;

/** This browser's outbox of a visitor or of one member of staff. */
export function browserOutbox(whose: string): Outbox {
  return safeOutbox({ kept: indexedDbOutbox(whose), storage: () => localStorage, whose, clock: systemClock });
}

type Parts = { kept: Outbox; storage: () => Storage; whose: string; clock: Clock };

/**
 * An outbox that always answers. What the database does not take in time goes into the browser's plain storage, so that
 * it can be sent now and is still there after a reload. The database may catch up later: an id counts once.
 */
export function safeOutbox({ kept, storage, whose, clock }: Parts): Outbox {
  const key = `unsent_${whose}`;
  let patience = ANSWER_WITHIN_MS;

  /** Undefined when the database failed or was late. */
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

  function spare(): OutboxEntry[] {
    return attempt(() => JSON.parse(storage().getItem(key) ?? '[]') as OutboxEntry[]) ?? [];
  }

  function change(how: (entries: OutboxEntry[]) => OutboxEntry[]): void {
    const before = spare();
    const after = how(before);
    if (after.length > 0) attempt(() => storage().setItem(key, JSON.stringify(after)));
    else if (before.length > 0) attempt(() => storage().removeItem(key));
  }

  async function merged(asked: Promise<OutboxEntry[]>): Promise<OutboxEntry[]> {
    const entries = (await inTime(asked))?.answer ?? [];
    const known = new Set(entries.map(({ id }) => id));
    return [...entries, ...spare().filter(({ id }) => !known.has(id))];
  }

  return {
    async put(entry) {
      if (!(await inTime(kept.put(entry)))) change((entries) => [...entries, entry]);
    },
    async remove(id) {
      change((entries) => entries.filter((entry) => entry.id !== id));
      await inTime(kept.remove(id));
    },
    async refuse(id) {
      change((entries) => entries.map((entry) => (entry.id === id ? { ...entry, refused: true } : entry)));
      await inTime(kept.refuse(id));
    },
    async again(id) {
      change((entries) => {
        const found = entries.filter((entry) => entry.id === id);
        return [
          ...entries.filter((entry) => entry.id !== id),
          ...found.map((entry) => ({ ...entry, refused: false })),
        ];
      });
      await inTime(kept.again(id));
    },
    async list(conversationId) {
      return (await merged(kept.list(conversationId))).filter(
        (entry) => entry.conversationId === conversationId,
      );
    },
    listAll: () => merged(kept.listAll()),
  };
}

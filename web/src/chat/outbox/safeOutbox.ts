import { type Clock, systemClock } from '../../net/clock.ts';
import { attempt } from '../model/attempt.ts';
import type { OutboxEntry } from '../model/conversationState.ts';
import { indexedDbOutbox } from './indexedDbOutbox.ts';
import type { Outbox } from './outbox.ts';

/** Timeout of the database. Some browsers never answer. */
const ANSWER_WITHIN_MS = 2_000;
/** Timeout after the first one expired. */
const ANSWER_AGAIN_WITHIN_MS = 100;

export function browserOutbox(whose: string): Outbox {
  return safeOutbox({ kept: indexedDbOutbox(whose), storage: () => localStorage, whose, clock: systemClock });
}

type Parts = { kept: Outbox; storage: () => Storage; whose: string; clock: Clock };

/**
 * An outbox that always answers. If the database fails or is slow, entries go to localStorage. The database may catch
 * up later, because ids are unique.
 */
export function safeOutbox({ kept, storage, whose, clock }: Parts): Outbox {
  const key = `unsent_${whose}`;
  let patience = ANSWER_WITHIN_MS;

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
    async refuse(id, final = true) {
      change((entries) => entries.map((entry) => (entry.id === id ? { ...entry, refused: final } : entry)));
      await inTime(kept.refuse(id, final));
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

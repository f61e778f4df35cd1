import { INVITES_AT_ONCE, type InviteDraft } from '@settee/protocol/model/managedInvite';
import { createStore } from '../../browser/createStore.ts';
import type { Result } from '../../net/api.ts';
import { backOffDelay } from '../../net/backOff.ts';
import type { Clock } from '../../net/clock.ts';

export type CreatedInvite = { id: string; label: string; alias: string; link: string; expiresAt: number };

export type BatchState = {
  phase: 'idle' | 'running' | 'ended';
  total: number;
  made: readonly CreatedInvite[];
  /** A call failed and is being retried. */
  waiting: boolean;
  stopping: boolean;
  /** Invites that were not created yet. */
  remaining: readonly InviteDraft[];
  /** The first remaining chunk may have been created: its call got no answer. */
  unsure: boolean;
  /** The error text. Null if the batch finished or was stopped by the user. */
  failure: string | null;
  saved: boolean;
};

export type BatchRun = {
  get(): BatchState;
  subscribe(listener: () => void): () => void;
  start(rows: readonly Omit<InviteDraft, 'id'>[]): void;
  /** Stops after the current chunk, because its links are needed. */
  stop(): void;
  /** Continues with the remaining invites. Uses the same ids, so nothing is created twice. */
  resume(): void;
  markSaved(): void;
  clear(): void;
};

const IDLE: BatchState = {
  phase: 'idle',
  total: 0,
  made: [],
  waiting: false,
  stopping: false,
  remaining: [],
  unsure: false,
  failure: null,
  saved: false,
};

type Chunk = { batchId: string; invites: InviteDraft[] };

type Parts = {
  /** The server accepts only the latest attempt of a chunk. */
  create: (body: Chunk & { attempt: number }) => Promise<Result<'createInvites'>>;
  clock: Clock;
  random: () => number;
  uuid: () => string;
};

/**
 * Creates any number of invites in chunks. Ids are generated here, so a chunk without an answer can be repeated
 * safely. It runs outside of React, so navigation does not stop it.
 */
export function batchRun({ create, clock, random, uuid }: Parts): BatchRun {
  const store = createStore(IDLE);
  let batchId = '';
  /** Attempts of the current or failed chunk. */
  let attempts = 0;
  let lost = false;

  /** Undefined if stopped while calls fail. Invites that were created anyway are in the list, without links. */
  async function createWithRetry(chunk: Chunk) {
    for (let failures = 0; !store.get().stopping || failures === 0; ) {
      attempts += 1;
      const answer = await create({ ...chunk, attempt: attempts });
      if (answer.ok || !maySucceedLater(answer.status)) return answer;
      failures += 1;
      lost = true;
      store.update({ waiting: true });
      await new Promise<void>((resolve) => clock.setTimeout(resolve, backOffDelay(failures, random)));
    }
    return undefined;
  }

  async function run(drafts: readonly InviteDraft[]): Promise<void> {
    let from = 0;
    let failure: string | null = null;
    for (; from < drafts.length && !store.get().stopping; from += INVITES_AT_ONCE) {
      const invites = drafts.slice(from, from + INVITES_AT_ONCE);
      const answer = await createWithRetry({ batchId, invites });
      store.update({ waiting: false });
      if (answer === undefined) break;
      if (!answer.ok) {
        failure = answer.text;
        break;
      }
      attempts = 0;
      lost = false;
      const links = new Map(answer.answer.links.map((link) => [link.id, link]));
      const made = invites.flatMap(({ id, label, alias }) => {
        const link = links.get(id);
        return link ? [{ ...link, label, alias }] : [];
      });
      store.update({ made: [...store.get().made, ...made], saved: false });
    }
    store.update({ phase: 'ended', failure, remaining: drafts.slice(from), unsure: lost });
  }

  return {
    get: store.get,
    subscribe: store.subscribe,
    start(rows) {
      if (store.get().phase === 'running') return;
      batchId = uuid();
      attempts = 0;
      lost = false;
      store.update({ ...IDLE, phase: 'running', total: rows.length });
      void run(rows.map((row) => ({ ...row, id: uuid() })));
    },
    resume() {
      const { phase, remaining } = store.get();
      if (phase !== 'ended' || remaining.length === 0) return;
      store.update({ phase: 'running', remaining: [], unsure: false, stopping: false, failure: null });
      void run(remaining);
    },
    stop: () => store.update({ stopping: true }),
    markSaved: () => store.update({ saved: true }),
    clear: () => store.update(IDLE),
  };
}

/** True for no answer, an incomplete answer, rate limits and server errors. The call may have succeeded. */
export function maySucceedLater(status: number): boolean {
  return status < 400 || status === 429 || status >= 500;
}

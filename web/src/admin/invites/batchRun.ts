import { INVITES_AT_ONCE, type InviteDraft } from '@settee/protocol/model/managedInvite';
import { createStore } from '../../browser/createStore.ts';
import type { Result } from '../../net/api.ts';
import { backOffDelay } from '../../net/backOff.ts';
import type { Clock } from '../../net/clock.ts';

/** An invite of which this page knows the link. */
export type CreatedInvite = { id: string; label: string; alias: string; link: string; expiresAt: number };

export type BatchState = {
  phase: 'idle' | 'running' | 'ended';
  total: number;
  made: readonly CreatedInvite[];
  /** No answer came, and the same is being asked for again. */
  waiting: boolean;
  stopping: boolean;
  /** What an end before its time left to be made. */
  remaining: readonly InviteDraft[];
  /** Of the first of these nobody knows whether they were made: what was asked for them got no answer. */
  unsure: boolean;
  /** Why it ended before all were made; null when nothing went wrong, or somebody stopped it. */
  failure: string | null;
  /** The links were copied or kept in a file. */
  saved: boolean;
};

export type BatchRun = {
  get(): BatchState;
  subscribe(listener: () => void): () => void;
  start(rows: readonly Omit<InviteDraft, 'id'>[]): void;
  /** After the chunk that is under way: its links are worth having. */
  stop(): void;
  /** With what remains: the same invites, so that nothing is made twice. */
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
  /** Of what is asked for again, the server keeps to the latest attempt. */
  create: (body: Chunk & { attempt: number }) => Promise<Result<'createInvites'>>;
  clock: Clock;
  random: () => number;
  uuid: () => string;
};

/**
 * Makes any number of invites, a chunk at a time. The ids are minted here, so a chunk whose answer was lost is asked for
 * again, as often as need be, and is made once. It lives outside of the screens: whoever looks elsewhere finds it here.
 */
export function batchRun({ create, clock, random, uuid }: Parts): BatchRun {
  const store = createStore(IDLE);
  let batchId = '';
  /** Of the chunk that is under way, or that stopped it. */
  let attempts = 0;
  let lost = false;

  /** Undefined once it is stopped while nobody answers: what it made then is found in the list, without a link. */
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

/** No answer or one cut short, too many requests, or a server in trouble; what was asked for may be done all the same. */
export function maySucceedLater(status: number): boolean {
  return status < 400 || status === 429 || status >= 500;
}

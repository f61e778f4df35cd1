import type { QueueRow } from '@settee/protocol/model/conversation';
import { compareQueueKeys, type QueueKey, QueueShow } from '@settee/protocol/model/queue';
import type { HeldDesk } from '@settee/protocol/model/staff';
import type { Frame } from '../../chat/model/conversationState.ts';
import { isOlder, sortQueue } from './queue.ts';
import type { Counts } from './queueFilter.ts';
import { type KnownQueue, type QueuePart, type QueueParts, queuePages } from './queuePages.ts';

/** The queues of one or several desks as one list. */
export type MergedQueue = Pick<KnownQueue, 'queue'> & { part: Pick<QueuePart, 'readTo'> | null };

export type DeskQueues = MergedQueue & {
  /** By alias. With one desk the alias may be empty. */
  queues: ReadonlyMap<string, KnownQueue>;
};

type ReadTo = { [Show in QueueShow]?: QueueKey | null };

const notRead: KnownQueue = { queue: null, part: null };

/** The queues that the list shows: of these desks, or of all without any. */
export function shownQueues(queues: DeskQueues['queues'], desks: readonly string[]): readonly KnownQueue[] {
  return desks.length === 0 ? [...queues.values()] : desks.map((alias) => queues.get(alias) ?? notRead);
}

/** The same without the desks where the person is off duty. One desk that was chosen stays. */
export function queuesOnDuty(
  queues: DeskQueues['queues'],
  held: readonly HeldDesk[],
  desks: readonly string[] = [],
): readonly KnownQueue[] {
  if (desks.length === 1) return shownQueues(queues, desks);
  const off = new Set(held.filter((each) => each.off).map(({ alias }) => alias));
  return [...queues]
    .filter(([alias]) => !off.has(alias) && (desks.length === 0 || desks.includes(alias)))
    .map(([, queue]) => queue);
}

/** The rows of these queues as one list. */
export function shownList({ queues, queue, part }: DeskQueues, desks: readonly string[]): MergedQueue {
  if (desks.length === 0) return { queue, part };
  const shown = shownQueues(queues, desks);
  const read = shown.filter((each) => each.queue !== null);
  return mergeQueues(queue === null && read.length < shown.length ? [] : read);
}

/** Queues that were read. */
function mergeQueues(queues: readonly KnownQueue[]): MergedQueue {
  const [only = notRead] = queues;
  if (queues.length < 2) return only;
  // A chat that moves between two of the desks may be in both for a moment.
  const rows = new Map<string, QueueRow>();
  for (const row of queues.flatMap(({ queue }) => queue ?? [])) {
    const other = rows.get(row.conversationId);
    if (!other || isOlder(other, row)) rows.set(row.conversationId, row);
  }
  const parts = queues.flatMap(({ part }) => part ?? []);
  return {
    queue: sortQueue([...rows.values()]),
    part: parts.length === 0 ? null : { readTo: firstEnds(parts) },
  };
}

/** Behind the end of one desk's list, rows are missing. A list that one desk has not read yet has no end. */
function firstEnds(parts: readonly QueuePart[]): ReadTo {
  const ends: ReadTo = {};
  for (const show of QueueShow.options) {
    const all = parts.map(({ readTo }) => readTo[show]);
    if (all.includes(undefined)) continue;
    const known = all.filter((end) => end != null);
    ends[show] = known.toSorted((a, b) => compareQueueKeys(show, a, b))[0] ?? null;
  }
  return ends;
}

export function addCounts(all: readonly Counts[]): Counts {
  const sum = (of: 'open' | 'snoozed' | 'unread' | 'waiting') =>
    all.reduce((total, counts) => total + counts[of], 0);
  return {
    open: sum('open'),
    snoozed: sum('snoozed'),
    unread: sum('unread'),
    waiting: sum('waiting'),
    longest: all.flatMap(({ longest }) => longest).toSorted((a, b) => a.waitingSince - b.waitingSince),
  };
}

type Parts = Pick<QueueParts, 'send'> & {
  get(): DeskQueues;
  update(change: DeskQueues): void;
};

/** Reads the queues of all desks of the person. Frames of a person with one desk name no desk. */
export function deskQueues({ get, update, send }: Parts) {
  const pages = new Map<string, ReturnType<typeof queuePages>>();
  /** All were read once. From then on, a desk that is gained does not hide the others until it is read. */
  let begun = false;

  function set(queues: ReadonlyMap<string, KnownQueue>): void {
    const read = [...queues.values()].filter(({ queue }) => queue !== null);
    begun ||= read.length === queues.size;
    update({ queues, ...mergeQueues(begun ? read : []) });
  }

  function pagesOf(alias = '') {
    const known = pages.get(alias);
    if (known) return known;
    const made = queuePages({
      get: () => get().queues.get(alias) ?? notRead,
      update: (change) =>
        set(new Map(get().queues).set(alias, { ...(get().queues.get(alias) ?? notRead), ...change })),
      send: (frame) => send(alias === '' || frame.type !== 'queuePage' ? frame : { ...frame, alias }),
    });
    pages.set(alias, made);
    return made;
  }

  return {
    /** The desks of this connection, none with one desk. A desk that the person has left leaves the list. */
    hold(aliases: readonly string[], first: string): void {
      const held = aliases.length > 0 ? aliases : [''];
      for (const alias of pages.keys()) if (!held.includes(alias)) pages.delete(alias);
      const { queues } = get();
      // The only desk becomes the first of several, or the other way round.
      const ofFirst = queues.get(held[0] === '' ? first : '');
      set(
        new Map(
          held.map((alias, at) => [alias, queues.get(alias) ?? (at === 0 ? ofFirst : undefined) ?? notRead]),
        ),
      );
    },
    begin: (frame: Frame<'queue'>) => pagesOf(frame.alias).begin({ ...frame, rows: named(frame) }),
    change: (frame: Frame<'queueChange'>) => pagesOf(frame.alias).change({ ...frame, rows: named(frame) }),
    page: (frame: Frame<'queuePage'>) => pagesOf(frame.alias).page({ ...frame, rows: named(frame) }),
    /** Removes a conversation of this desk. */
    remove(conversationId: string, desk = ''): void {
      (pages.get(desk) ?? pages.get(''))?.change({ rows: [], gone: [conversationId] });
    },
    /** Reads the next page of a list, or all pages up to a row: of these desks, or of all without any. */
    read(show: QueueShow, until?: QueueKey, desks: readonly string[] = []): void {
      const shown = [...get().queues].filter(([alias]) => desks.length === 0 || desks.includes(alias));
      const { part } = shownList(get(), desks);
      for (const [alias, queue] of shown) {
        const end = queue.part?.readTo[show];
        // Of the other desks, more rows are known than are shown.
        const isNext = until ? !end || compareQueueKeys(show, end, until) < 0 : end === part?.readTo[show];
        if (end === undefined || isNext) pagesOf(alias).read(show, until);
      }
    },
  };
}

function named({ alias, rows }: { alias?: string | undefined; rows: QueueRow[] }): QueueRow[] {
  return alias === undefined ? rows : rows.map((row) => ({ ...row, alias }));
}

import type { QueueRow } from '@settee/protocol/model/conversation';
import { countQueue } from '@settee/protocol/model/queue';
import type * as real from '../../../../server/src/db/conversation/queue.ts';
import { modelled } from '../modelDatabase.ts';
import type { State } from '../state.ts';

export { QUEUE_COLUMNS, withWholeMs } from '../../../../server/src/db/conversation/queue.ts';

type Found = ReturnType<State['conversations']['all']>[number];

/** The end of the snooze, unless the visitor has written since. */
function snoozedUntil({ messages }: State, { id, snoozedUntil: until, snoozedSeq }: Found): number | null {
  const hasWritten = messages
    .get(id)
    ?.some(({ seq, fromOwner }) => snoozedSeq !== null && seq > snoozedSeq && !fromOwner);
  return hasWritten === true ? null : until;
}

export function queueRow(state: State, found: Found): QueueRow {
  const last = state.messages.get(found.id)?.find(({ seq }) => seq === found.lastSeq);
  const author = found.previewFromOwner === true && last && state.staff.get(last.authorId)?.name;
  return {
    conversationId: found.id,
    visitorId: found.visitorId,
    visitorName: found.visitorName,
    lastMessageAt: found.lastMessageAt,
    lastMessage: found.preview,
    lastSender: found.previewFromOwner === null ? null : found.previewFromOwner ? 'owner' : 'visitor',
    unread: found.unread,
    head: found.lastSeq,
    rev: found.rev,
    markedUnread: found.markedUnread,
    waitingSince: found.waitingSince,
    lastAuthor: author ? (author.split(' ')[0] ?? null) : null,
    snoozedUntil: snoozedUntil(state, found),
  };
}

function openAt({ conversations }: State, alias: string): Found[] {
  return conversations.where(({ handlerAlias, status }) => handlerAlias === alias && status === 'open');
}

function queueOf(state: State, alias: string): QueueRow[] {
  return openAt(state, alias)
    .map((found) => queueRow(state, found))
    .sort((a, b) => b.lastMessageAt - a.lastMessageAt || (a.conversationId < b.conversationId ? -1 : 1));
}

export const readQueue: typeof real.readQueue = modelled('readQueue', (state, alias, limit = null) =>
  queueOf(state, alias).slice(0, limit ?? Number.POSITIVE_INFINITY),
);

export const readQueuePart: typeof real.readQueuePart = modelled(
  'readQueuePart',
  (state, alias, { limit, now }) => {
    const all = queueOf(state, alias);
    if (all.length <= limit) return { rows: all };
    return { rows: all.slice(0, limit), counts: countQueue(all, now, state.profile.settings) };
  },
);

export const readQueueRows: typeof real.readQueueRows = modelled('readQueueRows', (state, alias, ids) =>
  queueOf(state, alias).filter(({ conversationId }) => ids.includes(conversationId)),
);

export const readQueueHeads: typeof real.readQueueHeads = modelled('readQueueHeads', (state, aliases) =>
  aliases
    .flatMap((alias) => openAt(state, alias))
    .map((found) => ({
      alias: found.handlerAlias,
      id: found.id,
      head: found.lastSeq,
      rev: found.rev,
      markedUnread: found.markedUnread,
      snoozedUntil: snoozedUntil(state, found),
    })),
);

export const snooze: typeof real.snooze = modelled('snooze', (state, { conversationId, alias, until }) => {
  const found = state.conversations.get(conversationId);
  if (found?.status !== 'open' || (alias !== null && alias !== found.handlerAlias)) return undefined;
  state.conversations.update(conversationId, {
    snoozedUntil: until,
    snoozedSeq: until === null ? null : found.lastSeq,
  });
  return { handlerAlias: found.handlerAlias };
});

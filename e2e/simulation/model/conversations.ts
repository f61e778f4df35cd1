import type { NoAccess, QueueRow } from '@settee/protocol/model/conversation';
import { NOTES_MAX, type Note } from '@settee/protocol/model/note';
import { PUSH_AFTER_MS } from '@settee/protocol/model/push';
import type { ConversationRow, Reach } from '../../../server/src/access/access.store.ts';
import type { Effects } from './functions.ts';
import { isDeskHeard } from './push.ts';
import { both, type Conversation, type State } from './state.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SECOND_CHANCE_MS = 5 * 60_000;

function rowOf(state: State, id: string): ConversationRow | undefined {
  const conversation = state.conversations.get(id);
  if (conversation === undefined) return undefined;
  const { inviteId, handlerAlias, visitorId, visitorName, status, createdAt, lastMessageAt } = conversation;
  const { lastSeq, rev, hiddenChanges, unread, visitorSeen, ownerSeen, closedAt } = conversation;
  const { visitorSeenAt, ownerSeenAt } = conversation;
  const { reopenDays, visitorErase, visitorMail } = state.profile.settings;
  return {
    ...{
      id,
      inviteId,
      handlerAlias,
      profile: 'main',
      visitorId,
      visitorName,
      status,
      createdAt,
      lastMessageAt,
    },
    ...{ head: lastSeq, rev, hiddenChanges, unread, visitorSeen, ownerSeen, visitorSeenAt, ownerSeenAt },
    reopens: status === 'closed' && (closedAt ?? 0) + reopenDays * DAY_MS > state.now(),
    canErase: visitorErase,
    canMail: visitorMail,
    noAccess: null,
  };
}

function noAccess({ devices, invites }: State, { id, inviteId }: Conversation): NoAccess | null {
  if (invites.get(inviteId)?.state === 'REVOKED') return 'revoked';
  const all = devices.where(({ conversationId }) => conversationId === id);
  return all.length > 0 && all.every(({ revokedAt }) => revokedAt !== null) ? 'removed' : null;
}

/** The conversation, if its desk is within reach. */
function atDesk(state: State, conversationId: string, reach: Reach) {
  const found = state.conversations.get(conversationId);
  return found !== undefined && (reach?.includes(found.handlerAlias) ?? true) ? found : undefined;
}

/** The end of the snooze, unless the visitor has written since. */
function snoozedUntil(
  { messages }: State,
  { id, snoozedUntil: until, snoozedSeq }: Conversation,
): number | null {
  const hasWritten = messages
    .get(id)
    ?.some(({ seq, fromOwner }) => snoozedSeq !== null && seq > snoozedSeq && !fromOwner);
  return hasWritten === true ? null : until;
}

function queueRow(state: State, found: Conversation): QueueRow {
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
    noAccess: noAccess(state, found),
  };
}

function openAt({ conversations }: State, alias: string): Conversation[] {
  return conversations.where(({ handlerAlias, status }) => handlerAlias === alias && status === 'open');
}

function queueOf(state: State, alias: string): QueueRow[] {
  return openAt(state, alias)
    .map((found) => queueRow(state, found))
    .sort((a, b) => b.lastMessageAt - a.lastMessageAt || (a.conversationId < b.conversationId ? -1 : 1));
}

function attached({ devices }: State, conversationId: string, visitorId: string) {
  const device = devices.get(both(conversationId, visitorId));
  return device?.revokedAt === null ? device : undefined;
}

/** Visitors without any device. */
function detachedOf({ devices }: State, visitors: readonly string[]): string[] {
  return visitors.filter(
    (id) => devices.find(({ visitorId, revokedAt }) => visitorId === id && revokedAt === null) === undefined,
  );
}

function endPushOfDetached(state: State, visitors: readonly string[]): void {
  const gone = detachedOf(state, visitors);
  for (const { endpoint, visitorId } of state.subscriptions.all())
    if (visitorId !== null && gone.includes(visitorId)) state.subscriptions.delete(endpoint);
}

function noteOf({ notes, staff }: State, id: string): Note | undefined {
  const found = notes.get(id);
  const author = found && staff.get(found.authorId)?.name;
  if (found === undefined || author === undefined) return undefined;
  const { authorId: _, handover, ...note } = found;
  return { ...note, author, ...(handover !== undefined && { handover }) };
}

/** In order. */
function notesIn(state: State, conversationId: string): Note[] {
  return state.notes
    .where((note) => note.conversationId === conversationId)
    .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
    .flatMap(({ id }) => noteOf(state, id) ?? []);
}

export const conversations = {
  findForVisitor: (state, conversationId, { visitorId, credential }) => {
    const row = rowOf(state, conversationId);
    const device = state.devices.get(both(conversationId, visitorId));
    const invite = row && state.invites.get(row.inviteId);
    if (row === undefined || invite === undefined || device?.revokedAt !== null) return undefined;
    if (!device.credential.equals(credential)) return undefined;
    const { codeHash, codeNumber } = invite;
    const joined = state.devices
      .where((each) => each.conversationId === conversationId && !each.first && each.revokedAt === null)
      .map(({ attachedAt }) => attachedAt);
    return {
      ...row,
      isFirstDevice: device.first,
      awayMessage: state.profile.brand.awayMessage,
      hours: null,
      code: codeHash !== null ? { codeHash, codeNumber } : null,
      joinedAt: device.first && joined.length > 0 ? Math.max(...joined) : null,
    };
  },

  findForDesk(state, conversationId, reach) {
    const found = atDesk(state, conversationId, reach);
    const row = found && rowOf(state, conversationId);
    return row && { ...row, noAccess: noAccess(state, found) };
  },

  readHeads: ({ conversations }, ids) =>
    [...new Set(ids)].flatMap((id) => {
      const found = conversations.get(id);
      return found === undefined
        ? []
        : [{ id, head: found.lastSeq, rev: found.rev, handlerAlias: found.handlerAlias }];
    }),

  markSeen: (state, { conversationId, side, reach }, seq) => {
    const { conversations, messages } = state;
    const found =
      side === 'visitor' ? conversations.get(conversationId) : atDesk(state, conversationId, reach);
    if (found === undefined) return undefined;
    const { handlerAlias, lastSeq, rev } = found;
    const upTo = Math.min(seq, lastSeq);
    const at = state.now();
    if (side === 'visitor') {
      if (found.visitorSeen >= upTo) return undefined;
      conversations.update(conversationId, { visitorSeen: upTo, visitorSeenAt: at, rev: rev + 1 });
      return { handlerAlias, moved: true };
    }
    const moved = found.ownerSeen < upTo;
    if (!moved && !found.markedUnread) return undefined;
    const unseen = (messages.get(conversationId) ?? []).filter((each) => each.seq > upTo && !each.fromOwner);
    conversations.update(conversationId, {
      markedUnread: false,
      ...(moved && { ownerSeen: upTo, ownerSeenAt: at, rev: rev + 1, unread: unseen.length }),
    });
    return { handlerAlias, moved };
  },

  markUnread: (state, { conversationId, reach, unread }) => {
    const found = atDesk(state, conversationId, reach);
    if (found?.status !== 'open') return undefined;
    state.conversations.update(conversationId, { markedUnread: unread });
    return { handlerAlias: found.handlerAlias };
  },

  updateStatus: (state, { conversationId, reach, status, from }) => {
    const found = atDesk(state, conversationId, reach);
    if (found === undefined) return undefined;
    const { handlerAlias, status: before } = found;
    const allowed = from === undefined ? before !== 'blocked' || status === 'blocked' : before === from;
    if (!allowed) return undefined;
    state.conversations.update(conversationId, {
      status,
      closedAt: status === 'open' ? null : before === status ? found.closedAt : state.now(),
      markedUnread: found.markedUnread && status === 'open',
      snoozedUntil: null,
      snoozedSeq: null,
      rev: found.rev + 1,
    });
    return { handlerAlias, before };
  },

  readQueue: (state, alias, limit = null) =>
    queueOf(state, alias).slice(0, limit ?? Number.POSITIVE_INFINITY),

  readQueueRows: (state, alias, ids) =>
    queueOf(state, alias).filter(({ conversationId }) => ids.includes(conversationId)),

  readQueueHeads: (state, aliases) =>
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

  snooze: (state, { conversationId, reach, until }) => {
    const found = atDesk(state, conversationId, reach);
    if (found?.status !== 'open') return undefined;
    state.conversations.update(conversationId, {
      snoozedUntil: until,
      snoozedSeq: until === null ? null : found.lastSeq,
    });
    return { handlerAlias: found.handlerAlias };
  },

  writeBlock: (state, conversationId, { reason = '', hours = null }) => {
    const until = hours === null ? null : state.now() + hours * HOUR_MS;
    state.blocks.set(conversationId, { conversationId, reason, until });
    return until === null ? null : new Date(until);
  },

  removeBlock: ({ blocks }, conversationId) => blocks.delete(conversationId),

  lockConversationDesk: (state, conversationId, reach) => atDesk(state, conversationId, reach)?.handlerAlias,

  moveToDesk: ({ conversations }, conversationId, alias) => {
    const { rev = 0, hiddenChanges = 0 } = conversations.get(conversationId) ?? {};
    conversations.update(conversationId, {
      handlerAlias: alias,
      markedUnread: true,
      snoozedUntil: null,
      snoozedSeq: null,
      rev: rev + 1,
      hiddenChanges: hiddenChanges + 1,
    });
  },

  notifyNewDesk: (state, conversationId) => {
    const found = state.conversations.get(conversationId);
    const unseen = state.messages
      .get(conversationId)
      ?.findLast(({ seq, fromOwner }) => !fromOwner && found !== undefined && seq > found.ownerSeen);
    if (found?.status !== 'open' || unseen === undefined) return;
    if (!isDeskHeard(state, found.handlerAlias)) return;
    state.pushDue.set(both(conversationId, true), {
      conversationId,
      toOwner: true,
      seq: unseen.seq,
      dueAt: state.now() + PUSH_AFTER_MS,
      pushedAt: null,
    });
  },

  /** Not modelled: retention, which deletes expired conversations. */
  eraseRows: (state, conversationId, by) => {
    const found = state.conversations.get(conversationId);
    if (found === undefined) return undefined;
    if (by === 'visitor' && (found.status === 'blocked' || !state.profile.settings.visitorErase))
      return undefined;
    const { handlerAlias, inviteId, visitorId } = found;
    const own = state.devices.where((device) => device.conversationId === conversationId);
    const visitors = [...new Set([visitorId, ...own.map((device) => device.visitorId)])];
    state.erasures.set(conversationId, { visitors });
    for (const { id } of state.media.where((each) => each.conversationId === conversationId))
      state.media.delete(id);
    for (const { id } of state.notes.where((each) => each.conversationId === conversationId))
      state.notes.delete(id);
    for (const toOwner of [true, false]) state.pushDue.delete(both(conversationId, toOwner));
    for (const device of own) state.devices.delete(both(conversationId, device.visitorId));
    state.messages.delete(conversationId);
    state.blocks.delete(conversationId);
    state.conversations.delete(conversationId);
    state.invites.update(inviteId, { state: 'REVOKED', codeHash: null });
    endPushOfDetached(state, visitors);
    return { handlerAlias };
  },

  wasErasedFor: ({ erasures }, conversationId, { visitorId }) =>
    erasures.get(conversationId)?.visitors.includes(visitorId) ?? false,

  isCredentialReplaced: (state, { visitorId, credential }, { sinceLongAgo = false } = {}) => {
    const all = state.devices.where((device) => device.visitorId === visitorId);
    if (all.length === 0 || all.some((device) => device.credential.equals(credential))) return false;
    return !(sinceLongAgo && all.some(({ attachedAt }) => attachedAt > state.now() - SECOND_CHANCE_MS));
  },

  addDevice: (state, device) => {
    const key = both(device.conversationId, device.visitorId);
    const before = state.devices.get(key);
    const first = before === undefined ? device.first : before.first && before.revokedAt === null;
    state.devices.set(key, { ...device, first, attachedAt: state.now(), revokedAt: null });
  },

  readDevices: ({ devices }, conversationId) =>
    devices
      .where((device) => device.conversationId === conversationId && device.revokedAt === null)
      .map(({ visitorId, first, browser, attachedAt: joinedAt }) => ({ visitorId, first, browser, joinedAt }))
      .sort(
        (a, b) =>
          Number(b.first) - Number(a.first) ||
          a.joinedAt - b.joinedAt ||
          (a.visitorId < b.visitorId ? -1 : 1),
      ),

  revokeDevice: (state, conversationId, visitorId) => {
    const device = attached(state, conversationId, visitorId);
    if (device !== undefined)
      state.devices.update(both(conversationId, visitorId), { revokedAt: state.now() });
    endPushOfDetached(state, [visitorId]);
    return device !== undefined;
  },

  touchConversation: ({ conversations }, inviteId) => {
    const found = conversations.find((each) => each.inviteId === inviteId);
    if (found === undefined) return undefined;
    const { id, handlerAlias, rev } = found;
    conversations.update(id, { rev: rev + 1 });
    return { id, handlerAlias };
  },

  insertInvite: (state, { alias, days }) => {
    const id = state.newId();
    const expiresAt = state.now() + days * DAY_MS;
    state.invites.set(id, {
      id,
      handlerAlias: alias,
      state: 'NEW',
      expiresAt,
      codeHash: null,
      codeNumber: 0,
    });
    return { inviteId: id, expiresAt: new Date(expiresAt) };
  },

  bindInvite: (state, { inviteId, visitorId, codeHash, codeNumber }) => {
    const invite = state.invites.get(inviteId);
    if (invite?.state !== 'NEW' || invite.expiresAt <= state.now()) return undefined;
    state.invites.update(inviteId, { state: 'BOUND', codeHash, codeNumber });
    const { handlerAlias } = invite;
    const id = state.newId();
    const now = state.now();
    state.conversations.set(id, {
      ...{ id, inviteId, handlerAlias, visitorId, visitorName: '', status: 'open', createdAt: now },
      ...{ closedAt: null, lastMessageAt: now, lastSeq: 0, unread: 0, preview: '', previewFromOwner: null },
      ...{ rev: 0, hiddenChanges: 0, visitorSeen: 0, ownerSeen: 0, visitorSeenAt: null, ownerSeenAt: null },
      ...{ waitingSince: null, markedUnread: false, firstAskedAt: null, firstRepliedAt: null },
      ...{ snoozedUntil: null, snoozedSeq: null },
    });
    return { conversationId: id, handlerAlias };
  },

  insertNote: (state, note, reach) => {
    const { id, conversationId, authorId, text, handover } = note;
    const found = atDesk(state, conversationId, reach);
    if (found === undefined) return undefined;
    if (state.notes.get(id) !== undefined) return undefined;
    const place = { afterSeq: found.lastSeq, createdAt: state.now() };
    state.notes.set(id, { id, conversationId, authorId, text, handover, ...place });
    return { handlerAlias: found.handlerAlias };
  },

  findNote: (state, id) => {
    const note = noteOf(state, id);
    return note && { note, authorId: state.notes.get(id)?.authorId ?? '' };
  },

  countNotes: (state, ids) =>
    [...new Set(ids)]
      .filter((id) => state.conversations.get(id) !== undefined)
      .map((id) => ({ id, count: notesIn(state, id).length })),

  readNotesAndDesk: (state, conversationId) => {
    const all = notesIn(state, conversationId);
    const handlerAlias =
      all.length === 0 ? '' : (state.conversations.get(conversationId)?.handlerAlias ?? '');
    return { notes: all.slice(-NOTES_MAX), count: all.length, handlerAlias };
  },

  /** No desk ever moves to another cell. */
  findNewCell: () => undefined,

  listMoved: () => new Set(),
} satisfies Effects;

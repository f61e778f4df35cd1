import { CODE_FAILURES_TO_VOID } from '@settee/protocol/model/invite';
import type * as real from '../../../../server/src/db/conversation/conversations.ts';
import { modelled } from '../modelDatabase.ts';
import { both, type State } from '../state.ts';

const DAY_MS = 86_400_000;

function rowOf(state: State, id: string): real.ConversationRow | undefined {
  const conversation = state.conversations.get(id);
  if (conversation === undefined) return undefined;
  const { inviteId, handlerAlias, visitorId, visitorName, status, createdAt, lastMessageAt } = conversation;
  const { lastSeq, rev, hiddenChanges, unread, visitorSeen, ownerSeen, closedAt } = conversation;
  const { visitorSeenAt, ownerSeenAt } = conversation;
  const { reopenDays, visitorErase, visitorMail } = state.profile.settings;
  return {
    ...{ id, inviteId, handlerAlias, visitorId, visitorName, status, createdAt, lastMessageAt },
    ...{ head: lastSeq, rev, hiddenChanges, unread, visitorSeen, ownerSeen, visitorSeenAt, ownerSeenAt },
    reopens: status === 'closed' && (closedAt ?? 0) + reopenDays * DAY_MS > state.now(),
    canErase: visitorErase,
    canMail: visitorMail,
  };
}

export const findForVisitor: typeof real.findForVisitor = modelled(
  'findForVisitor',
  (state, conversationId, { visitorId, credential }) => {
    const row = rowOf(state, conversationId);
    const device = state.devices.get(both(conversationId, visitorId));
    const invite = row && state.invites.get(row.inviteId);
    if (row === undefined || invite === undefined || device?.revokedAt !== null) return undefined;
    if (!device.credential.equals(credential)) return undefined;
    const { codeHash, codeNumber, codeFailuresInLife, codeLockedUntil } = invite;
    const works = codeFailuresInLife < CODE_FAILURES_TO_VOID && (codeLockedUntil ?? 0) <= state.now();
    const joined = state.devices
      .where((each) => each.conversationId === conversationId && !each.first && each.revokedAt === null)
      .map(({ attachedAt }) => attachedAt);
    return {
      ...row,
      isFirstDevice: device.first,
      awayMessage: state.profile.brand.awayMessage,
      hours: state.deskHours.get(row.handlerAlias) ?? null,
      code: works && codeHash !== null ? { codeHash, codeNumber } : null,
      joinedAt: device.first && joined.length > 0 ? Math.max(...joined) : null,
    };
  },
);

/** Null means every desk. */
function atDesk(state: State, conversationId: string, alias: string | null) {
  const found = state.conversations.get(conversationId);
  return found !== undefined && (alias === null || alias === found.handlerAlias) ? found : undefined;
}

export const findForDesk: typeof real.findForDesk = modelled('findForDesk', (state, conversationId, alias) =>
  atDesk(state, conversationId, alias) === undefined ? undefined : rowOf(state, conversationId),
);

export const readHeads: typeof real.readHeads = modelled('readHeads', ({ conversations }, ids) =>
  [...new Set(ids)].flatMap((id) => {
    const found = conversations.get(id);
    return found === undefined
      ? []
      : [{ id, head: found.lastSeq, rev: found.rev, handlerAlias: found.handlerAlias }];
  }),
);

export const findClosed: typeof real.findClosed = modelled('findClosed', ({ conversations }, ids) =>
  [...new Set(ids)].filter((id) => conversations.get(id)?.status === 'closed'),
);

export const markSeen: typeof real.markSeen = modelled(
  'markSeen',
  (state, { conversationId, side, alias }, seq) => {
    const { conversations, messages } = state;
    const found =
      side === 'visitor' ? conversations.get(conversationId) : atDesk(state, conversationId, alias);
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
);

export const markUnread: typeof real.markUnread = modelled(
  'markUnread',
  (state, { conversationId, alias, unread }) => {
    const found = atDesk(state, conversationId, alias);
    if (found?.status !== 'open') return undefined;
    state.conversations.update(conversationId, { markedUnread: unread });
    return { handlerAlias: found.handlerAlias };
  },
);

export const updateStatus: typeof real.updateStatus = modelled(
  'updateStatus',
  (state, { conversationId, alias, status, from }) => {
    const found = atDesk(state, conversationId, alias);
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
);

import { PUSH_AFTER_MS, PUSH_APART_MS } from '@settee/protocol/model/push';
import type { Effects } from './functions.ts';
import { both, type State } from './state.ts';

const MINUTE_MS = 60_000;

/** Schedules a notification of the other side, if it listens. See server/sql/next_push_at.sql. */
export function scheduleNotification(
  state: State,
  { conversationId, fromOwner, seq }: { conversationId: string; fromOwner: boolean; seq: number },
): void {
  const conversation = state.conversations.get(conversationId);
  if (conversation === undefined || !isHeard(state, conversationId, fromOwner)) return;
  const toOwner = !fromOwner;
  const key = both(conversationId, toOwner);
  const before = state.pushDue.get(key);
  const now = state.now();
  const seen = toOwner ? conversation.ownerSeen : conversation.visitorSeen;
  const isPending =
    before !== undefined && before.dueAt !== null && before.dueAt > now - MINUTE_MS && before.seq > seen;
  const pushedAt = before?.pushedAt ?? null;
  state.pushDue.set(key, {
    conversationId,
    toOwner,
    seq,
    dueAt: isPending
      ? before.dueAt
      : Math.max(now + PUSH_AFTER_MS, pushedAt === null ? 0 : pushedAt + PUSH_APART_MS),
    pushedAt,
  });
}

/** Whether somebody of this desk has a push subscription. */
export function isDeskHeard({ subscriptions, deskStaff }: State, alias: string): boolean {
  return (
    subscriptions.find(({ staffId }) => deskStaff.get(both(alias, staffId ?? '')) !== undefined) !== undefined
  );
}

/** Whether somebody on the other side has a push subscription. */
function isHeard(state: State, conversationId: string, fromOwner: boolean): boolean {
  const { subscriptions, devices, conversations } = state;
  if (!fromOwner) {
    const alias = conversations.get(conversationId)?.handlerAlias;
    return alias !== undefined && isDeskHeard(state, alias);
  }
  return (
    subscriptions.find(
      ({ visitorId }) =>
        visitorId !== null && devices.get(both(conversationId, visitorId))?.revokedAt === null,
    ) !== undefined
  );
}

export const push = {
  upsertPushSubscription: (state, owner, { endpoint, p256dh, auth }) => {
    const whose =
      owner.kind === 'visitor'
        ? { visitorId: owner.visitorId, alias: null, staffId: null, sessionId: null }
        : { visitorId: null, alias: owner.alias, staffId: owner.staffId, sessionId: owner.sessionId };
    const before = state.subscriptions.get(endpoint);
    if (before !== undefined) {
      const isOwn = whose.visitorId === before.visitorId && whose.staffId === before.staffId;
      if (!isOwn && !(before.p256dh === p256dh && before.auth === auth)) return false;
    }
    state.subscriptions.set(endpoint, { endpoint, p256dh, auth, ...whose, refreshedAt: state.now() });
    return true;
  },

  dropPushSubscription: ({ subscriptions }, caller, endpoint) => {
    const found = subscriptions.get(endpoint);
    if (found === undefined) return false;
    const isOwn =
      caller.kind === 'visitor' ? found.visitorId === caller.visitorId : found.staffId === caller.staffId;
    return isOwn && subscriptions.delete(endpoint);
  },

  recordPushed: (state, { conversationId }, toOwner) => {
    const key = both(conversationId, toOwner);
    const dueAt = state.pushDue.get(key)?.dueAt ?? null;
    const pushedAt = state.now();
    state.pushDue.update(key, {
      pushedAt,
      dueAt: dueAt === null ? null : Math.max(dueAt, pushedAt + PUSH_APART_MS),
    });
  },
} satisfies Effects;

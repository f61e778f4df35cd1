import { both, type State } from '../state.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

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
      : Math.max(now + 10 * SECOND_MS, pushedAt === null ? 0 : pushedAt + 30 * SECOND_MS),
    pushedAt,
  });
}

/** Whether somebody on the other side has a push subscription. */
function isHeard(state: State, conversationId: string, fromOwner: boolean): boolean {
  const { subscriptions, devices, conversations } = state;
  if (!fromOwner) {
    const alias = conversations.get(conversationId)?.handlerAlias;
    return subscriptions.find((each) => each.alias !== null && each.alias === alias) !== undefined;
  }
  return (
    subscriptions.find(
      ({ visitorId }) =>
        visitorId !== null && devices.get(both(conversationId, visitorId))?.revokedAt === null,
    ) !== undefined
  );
}

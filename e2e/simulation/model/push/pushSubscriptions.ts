import type * as real from '../../../../server/src/db/push/pushSubscriptions.ts';
import { modelled } from '../modelDatabase.ts';

export * from '../../../../server/src/db/push/pushSubscriptions.ts';

export const lockPushOwner: typeof real.lockPushOwner = modelled('lockPushOwner', () => {});

export const upsertPushSubscription: typeof real.upsertPushSubscription = modelled(
  'upsertPushSubscription',
  (state, owner, { endpoint, p256dh, auth }) => {
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
);

export const dropPushSubscription: typeof real.dropPushSubscription = modelled(
  'dropPushSubscription',
  ({ subscriptions }, caller, endpoint) => {
    const found = subscriptions.get(endpoint);
    if (found === undefined) return false;
    const isOwn =
      caller.kind === 'visitor' ? found.visitorId === caller.visitorId : found.staffId === caller.staffId;
    return isOwn && subscriptions.delete(endpoint);
  },
);

export const dropPushOfSession: typeof real.dropPushOfSession = modelled(
  'dropPushOfSession',
  ({ subscriptions, sessions }, hash) => {
    const session = sessions.find(({ tokenHash }) => tokenHash.equals(hash));
    for (const { endpoint, sessionId } of subscriptions.all())
      if (session !== undefined && sessionId === session.id) subscriptions.delete(endpoint);
  },
);

import type * as real from '../../../../server/src/db/conversation/devices.ts';
import { isExpired } from '../invite/invites.ts';
import { modelled } from '../modelDatabase.ts';
import { both, type State } from '../state.ts';

const SECOND_CHANCE_MS = 5 * 60_000;

export const findInviteForVisitor: typeof real.findInviteForVisitor = modelled(
  'findInviteForVisitor',
  (state, tokenHash, visitorId) => {
    const invite = state.invites.find((each) => each.tokenHash.equals(tokenHash));
    if (invite === undefined) return undefined;
    const conversation = state.conversations.find(({ inviteId }) => inviteId === invite.id);
    const device = conversation && attached(state, conversation.id, visitorId);
    return {
      inviteId: invite.id,
      state: invite.state,
      handlerAlias: (conversation ?? invite).handlerAlias,
      expired: isExpired(state, invite),
      conversationId: conversation?.id ?? null,
      credential: device?.credential ?? null,
      first: device?.first ?? null,
      attachedJustNow: device === undefined ? null : device.attachedAt > state.now() - SECOND_CHANCE_MS,
    };
  },
);

function attached({ devices }: State, conversationId: string, visitorId: string) {
  const device = devices.get(both(conversationId, visitorId));
  return device?.revokedAt === null ? device : undefined;
}

export const lockVisitor: typeof real.lockVisitor = modelled('lockVisitor', () => {});

export const isCredentialReplaced: typeof real.isCredentialReplaced = modelled(
  'isCredentialReplaced',
  (state, { visitorId, credential }, { sinceLongAgo = false } = {}) => {
    const all = state.devices.where((device) => device.visitorId === visitorId);
    if (all.length === 0 || all.some((device) => device.credential.equals(credential))) return false;
    return !(sinceLongAgo && all.some(({ attachedAt }) => attachedAt > state.now() - SECOND_CHANCE_MS));
  },
);

export const lockDevices: typeof real.lockDevices = modelled('lockDevices', () => {});

export const replaceCredential: typeof real.replaceCredential = modelled(
  'replaceCredential',
  ({ devices }, visitor, credential) => {
    for (const { conversationId, visitorId, credential: before } of devices.all())
      if (visitorId === visitor.visitorId && before.equals(visitor.credential))
        devices.update(both(conversationId, visitorId), { credential });
  },
);

export const addDevice: typeof real.addDevice = modelled('addDevice', (state, device) => {
  const key = both(device.conversationId, device.visitorId);
  const before = state.devices.get(key);
  const first = before === undefined ? device.first : before.first && before.revokedAt === null;
  state.devices.set(key, { ...device, first, attachedAt: state.now(), revokedAt: null });
});

export const hasDevice: typeof real.hasDevice = modelled(
  'hasDevice',
  ({ devices }, { visitorId, credential }) =>
    devices.find(
      (device) =>
        device.visitorId === visitorId && device.revokedAt === null && device.credential.equals(credential),
    ) !== undefined,
);

export const readDevices: typeof real.readDevices = modelled('readDevices', ({ devices }, conversationId) =>
  devices
    .where((device) => device.conversationId === conversationId && device.revokedAt === null)
    .map(({ visitorId, first, browser, attachedAt: joinedAt }) => ({ visitorId, first, browser, joinedAt }))
    .sort(
      (a, b) =>
        Number(b.first) - Number(a.first) || a.joinedAt - b.joinedAt || (a.visitorId < b.visitorId ? -1 : 1),
    ),
);

export const revokeDevice: typeof real.revokeDevice = modelled(
  'revokeDevice',
  (state, conversationId, visitorId) => {
    const device = attached(state, conversationId, visitorId);
    if (device !== undefined)
      state.devices.update(both(conversationId, visitorId), { revokedAt: state.now() });
    endPushOfDetached(state, [visitorId]);
    return device !== undefined;
  },
);

export const dropPushOfDetached: typeof real.dropPushOfDetached = modelled(
  'dropPushOfDetached',
  endPushOfDetached,
);

/** Visitors without any device. */
export function detachedOf({ devices }: State, visitors: readonly string[]): string[] {
  return visitors.filter(
    (id) => devices.find(({ visitorId, revokedAt }) => visitorId === id && revokedAt === null) === undefined,
  );
}

export function endPushOfDetached(state: State, visitors: readonly string[]): void {
  const gone = detachedOf(state, visitors);
  for (const { endpoint, visitorId } of state.subscriptions.all())
    if (visitorId !== null && gone.includes(visitorId)) state.subscriptions.delete(endpoint);
}

export const touchConversation: typeof real.touchConversation = modelled(
  'touchConversation',
  ({ conversations }, inviteId) => {
    const found = conversations.find((each) => each.inviteId === inviteId);
    if (found === undefined) return undefined;
    const { id, handlerAlias, rev } = found;
    conversations.update(id, { rev: rev + 1 });
    return { id, handlerAlias };
  },
);

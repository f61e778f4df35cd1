import {
  CODE_FAILURES_TO_LOCK,
  CODE_FAILURES_TO_VOID,
  CODE_LOCK_MINUTES,
} from '@settee/protocol/model/invite';
import type * as real from '../../../../server/src/db/invite/invites.ts';
import { modelled } from '../modelDatabase.ts';
import type { State } from '../state.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

type Invite = ReturnType<State['invites']['all']>[number];

/** A bound invite does not expire. */
export function isExpired(now: State, { state, expiresAt }: Pick<Invite, 'state' | 'expiresAt'>): boolean {
  return (state === 'NEW' || state === 'SEEN') && expiresAt <= now.now();
}

export const findInvite: typeof real.findInvite = modelled('findInvite', (state, tokenHash) => {
  const found = state.invites.find((each) => each.tokenHash.equals(tokenHash));
  return found && { inviteId: found.id, state: found.state, expired: isExpired(state, found) };
});

export const insertInvite: typeof real.insertInvite = modelled(
  'insertInvite',
  (state, { tokenHash, alias, label, days }) => {
    const id = state.newId();
    const expiresAt = state.now() + days * DAY_MS;
    state.invites.set(id, {
      ...{ id, tokenHash, handlerAlias: alias, label, state: 'NEW', expiresAt },
      ...{ codeHash: null, codeNumber: 0, codeFailures: 0, codeFailuresInLife: 0, codeLockedUntil: null },
    });
    return { inviteId: id, expiresAt: new Date(expiresAt) };
  },
);

export const markInviteSeen: typeof real.markInviteSeen = modelled(
  'markInviteSeen',
  ({ invites }, inviteId) => {
    if (invites.get(inviteId)?.state === 'NEW') invites.update(inviteId, { state: 'SEEN' });
  },
);

export const lockInvite: typeof real.lockInvite = modelled('lockInvite', () => {});

export const bindInvite: typeof real.bindInvite = modelled(
  'bindInvite',
  (state, { inviteId, visitorId, codeHash, codeNumber }) => {
    const invite = state.invites.get(inviteId);
    if (invite === undefined || (invite.state !== 'NEW' && invite.state !== 'SEEN')) return undefined;
    if (isExpired(state, invite)) return undefined;
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
);

export const setCode: typeof real.setCode = modelled(
  'setCode',
  ({ invites }, inviteId, { codeHash, codeNumber }) =>
    invites.update(inviteId, {
      ...{ codeHash, codeNumber, codeFailures: 0, codeFailuresInLife: 0, codeLockedUntil: null },
    }),
);

export const readCode: typeof real.readCode = modelled('readCode', (state, inviteId) => {
  const invite = state.invites.get(inviteId);
  if (invite === undefined) throw new Error('a statement returned no row');
  const { codeHash, codeNumber, codeLockedUntil, codeFailuresInLife } = invite;
  return {
    codeHash,
    codeNumber,
    locked: codeLockedUntil !== null && codeLockedUntil > state.now(),
    void: codeHash === null || codeFailuresInLife >= CODE_FAILURES_TO_VOID,
  };
});

export const countCodeFailure: typeof real.countCodeFailure = modelled(
  'countCodeFailure',
  (state, inviteId) => {
    const { codeFailures = 0, codeFailuresInLife = 0 } = state.invites.get(inviteId) ?? {};
    const locks = codeFailures + 1 >= CODE_FAILURES_TO_LOCK;
    state.invites.update(inviteId, {
      codeFailures: locks ? 0 : codeFailures + 1,
      codeFailuresInLife: codeFailuresInLife + 1,
      codeLockedUntil: locks ? state.now() + CODE_LOCK_MINUTES * MINUTE_MS : null,
    });
  },
);

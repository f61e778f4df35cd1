import type { Body } from '@settee/protocol/calls/http';
import type { MadeLink } from '@settee/protocol/model/managedInvite';
import { inviteAdminTexts } from '@settee/protocol/texts/inviteAdminTexts';
import type { App } from '../platform/app.ts';
import { newInviteLink } from '../platform/auth/inviteToken.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import { audited } from '../platform/db/audited.ts';
import type { Manager, Staff } from '../platform/ports/caller.ts';
import { touchForStaff } from '../visitors/devices.store.ts';
import { forgetIndexedLabel, revokeAll, setInvite, setTokenHash } from './inviteChanges.store.ts';
import { requireInvite } from './inviteDevice.ts';

/** Changes the given fields. Staff see it at once, and the visitor notices nothing. Returns the new expiry. */
export async function updateInvite(
  app: App,
  staff: Staff,
  inviteId: string,
  change: Body<'updateInvite'>,
): Promise<number> {
  const { expiresAt, shown } = await audited(app, staff, async (db, record) => {
    const before = await requireInvite(db, inviteId);
    if (change.days !== undefined && before.state === 'BOUND') {
      throw new Refusal('bad_request', inviteAdminTexts.startedAlready);
    }
    const { label = before.label, keepDays = before.keepDays, days } = change;
    const expiresAt = await setInvite(db, inviteId, { label, keepDays, days });
    if (label !== before.label) await forgetIndexedLabel(db, inviteId);
    record('invite.update', inviteId, {
      ...(label !== before.label && { label: true }),
      ...(keepDays !== before.keepDays && { keepDays }),
      ...(days !== undefined && { days }),
    });
    return { expiresAt, shown: await touchForStaff(db, inviteId) };
  });
  if (shown !== undefined) app.announce.conversationChanged(shown);
  return expiresAt.getTime();
}

/** Creates another link for the same invite. The old link stops working; attached devices stay. */
export async function replaceLink(app: App, staff: Staff, inviteId: string): Promise<MadeLink> {
  const { link, tokenHash } = newInviteLink(app);
  const expiresAt = await audited(app, staff, async (db, record) => {
    const invite = await requireInvite(db, inviteId);
    await setTokenHash(db, inviteId, tokenHash);
    record('invite.replaceLink', inviteId);
    return invite.expiresAt;
  });
  return { id: inviteId, link, expiresAt: expiresAt.getTime() };
}

/**
 * Revokes invites and the access of their visitors. A key revokes only those that it created. Returns how many were not
 * revoked before.
 */
export async function revokeInvites(app: App, manager: Manager, ids: readonly string[]): Promise<number> {
  const { revoked, conversations } = await audited(app, manager, async (db, record) => {
    const ended = await revokeAll(db, ids, manager.kind === 'key' ? manager.keyId : null);
    const [first, ...others] = ended.revoked;
    if (others.length > 0) {
      record('invite.revoke', `${ended.revoked.length} invites`, { ids: ended.revoked });
    } else if (first !== undefined) record('invite.revoke', first);
    return ended;
  });
  for (const conversation of conversations) app.announce.conversationChanged(conversation);
  return revoked.length;
}

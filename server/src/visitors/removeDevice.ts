import { errorTexts } from '@settee/protocol/texts/errorTexts';
import { type Access, accessTo } from '../access/access.ts';
import type { App } from '../platform/app.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import { audited } from '../platform/db/audited.ts';
import type { Caller } from '../platform/ports/caller.ts';
import { isDeviceId } from './deviceId.ts';
import { readDevices, revokeDevice, touchConversation } from './devices.store.ts';

/** The conversation, for a caller who may list and remove its devices: the first device, or staff at that desk. */
export async function accessToDevices(app: App, caller: Caller, conversationId: string): Promise<Access> {
  const access = await accessTo(app, caller, conversationId);
  if (caller.kind === 'visitor' && !access.isFirstDevice) {
    throw new Refusal('access_denied', errorTexts.devicesOfFirst);
  }
  return access;
}

/** Signs a device out at once: sockets, cookie and notifications. Safe to repeat. */
export async function removeDevice(
  app: App,
  caller: Caller,
  { conversationId, deviceId }: { conversationId: string; deviceId: string },
): Promise<void> {
  const { conversation } = await accessToDevices(app, caller, conversationId);
  const removed = await audited(app, caller, async (db, record) => {
    await touchConversation(db, conversation.inviteId);
    const devices = await readDevices(db, conversationId);
    const device = devices.find(({ visitorId }) => isDeviceId(app, { conversationId, visitorId }, deviceId));
    if (device === undefined) return false;
    if (caller.kind === 'visitor' && device.first) {
      throw new Refusal('bad_request', errorTexts.firstDeviceStays);
    }
    await revokeDevice(db, conversationId, device.visitorId);
    if (caller.kind === 'staff') record('device.remove', conversationId);
    return true;
  });
  if (removed) app.announce.conversationChanged(conversation);
}

import type { Device } from './device.ts';
import type { PushMemory } from './pushMemory.ts';

/**
 * Ends the notifications of another staff member who did not sign out, so that the current user does not see who writes
 * to them. The server removes the address when its next push fails.
 */
export async function unsubscribeOtherUser(
  staffId: string,
  memory: Pick<PushMemory, 'read' | 'forget'>,
  device: Pick<Device, 'subscription'>,
): Promise<void> {
  const told = memory.read();
  if (told?.side !== 'staff' || told.id === staffId) return;
  memory.forget();
  await (await device.subscription())?.unsubscribe();
}

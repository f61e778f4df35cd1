import type { Device } from './device.ts';
import type { PushMemory } from './pushMemory.ts';

/**
 * Another member of staff had notifications here and did not sign out: whoever signs in now must not read who writes
 * to them. Their server finds the address gone with its next push.
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

import { expect, test } from 'vitest';
import { type StoredSubscription, unsubscribeOtherUser } from './pushMemory.ts';

async function endedFor(
  staffId: string,
  stored: Pick<StoredSubscription, 'side' | 'id'> | null,
): Promise<string[]> {
  const did: string[] = [];
  const memory = {
    read: () => stored && { ...stored, endpoint: 'https://push.test/1', at: 0 },
    forget: () => void did.push('forgotten'),
  };
  const unsubscribe = async () => did.push('unsubscribed');
  const given = { endpoint: '', p256dh: '', auth: '', expiresAt: null, key: null, unsubscribe };
  await unsubscribeOtherUser(staffId, memory, { subscription: async () => given });
  return did;
}

test('[PUSH-14] signing in ends another staff member’s notifications, and neither one’s own nor a visitor’s', async () => {
  expect(await endedFor('s2', { side: 'staff', id: 's1' })).toEqual(['forgotten', 'unsubscribed']);
  expect(await endedFor('s2', { side: 'staff', id: 's2' })).toEqual([]);
  expect(await endedFor('s2', { side: 'visitor', id: 'v1' })).toEqual([]);
  expect(await endedFor('s2', null)).toEqual([]);
});

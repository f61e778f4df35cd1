import { indexedDbOutbox } from './indexedDbOutbox.ts';
import type { Outbox } from './outbox.ts';

/** One person's own: who signs in next on this machine neither reads nor sends what it holds. */
export function staffOutbox(staffId: string): Outbox {
  return indexedDbOutbox(`owner-${staffId}`);
}

import type { Outbox } from './outbox.ts';
import { browserOutbox } from './safeOutbox.ts';

/** The owner key of stored messages and files. */
export function staffStorageKey(staffId: string): string {
  return `owner-${staffId}`;
}

/** Private to one staff member. The next person who signs in neither reads nor sends it. */
export function staffOutbox(staffId: string): Outbox {
  return browserOutbox(staffStorageKey(staffId));
}

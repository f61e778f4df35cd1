import type { Outbox } from './outbox.ts';
import { browserOutbox } from './safeOutbox.ts';

/** Under whose name this browser keeps what is unsent, words and files. */
export function staffStorageKey(staffId: string): string {
  return `owner-${staffId}`;
}

/** One person's own: who signs in next on this machine neither reads nor sends what it holds. */
export function staffOutbox(staffId: string): Outbox {
  return browserOutbox(staffStorageKey(staffId));
}

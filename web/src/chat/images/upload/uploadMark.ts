import { attempt } from '../../model/attempt.ts';

/**
 * Whether an earlier visit may have left an upload unfinished, told without opening a database: so that the script for
 * images is asked for at the start only then.
 */
export function hasStoredUploads(whose: string, conversationId: string): boolean {
  return attempt(() => localStorage.getItem(keyOf(whose, conversationId))) != null;
}

export function markStoredUploads(whose: string, conversationId: string, any: boolean): void {
  const key = keyOf(whose, conversationId);
  attempt(() => (any ? localStorage.setItem(key, '1') : localStorage.removeItem(key)));
}

/** Every conversation of which that may be so. */
export function conversationsWithStoredUploads(whose: string): string[] {
  const start = keyOf(whose, '');
  return (attempt(() => Object.keys(localStorage)) ?? [])
    .filter((key) => key.startsWith(start))
    .map((key) => key.slice(start.length));
}

function keyOf(whose: string, conversationId: string): string {
  return `uploads_${whose}_${conversationId}`;
}

import { attempt } from '../../model/attempt.ts';

/** Whether stored uploads may exist. It needs no database, so the image script loads at the start only if it must. */
export function hasStoredUploads(whose: string, conversationId: string): boolean {
  return attempt(() => localStorage.getItem(keyOf(whose, conversationId))) != null;
}

export function markStoredUploads(whose: string, conversationId: string, any: boolean): void {
  const key = keyOf(whose, conversationId);
  attempt(() => (any ? localStorage.setItem(key, '1') : localStorage.removeItem(key)));
}

export function conversationsWithStoredUploads(whose: string): string[] {
  const start = keyOf(whose, '');
  return (attempt(() => Object.keys(localStorage)) ?? [])
    .filter((key) => key.startsWith(start))
    .map((key) => key.slice(start.length));
}

function keyOf(whose: string, conversationId: string): string {
  return `uploads_${whose}_${conversationId}`;
}

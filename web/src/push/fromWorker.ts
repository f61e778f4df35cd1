/** What the service worker tells an open console, and how the console says that it has heard. */
export type FromWorker =
  | { type: 'openChat'; conversationId: string }
  /** Words of a reply are in the outbox, and somebody must see to them. */
  | { type: 'unsent'; conversationId: string }
  /** A worker knows only the address that a window was loaded from, not where its person has gone since. */
  | { type: 'where' };

export type Whereabouts = { path: string; looksAt: boolean };

export function isFromWorker(data: unknown): data is FromWorker {
  if (typeof data !== 'object' || data === null || !('type' in data)) return false;
  return data.type === 'where' || 'conversationId' in data;
}

export function isWhereabouts(data: unknown): data is Whereabouts {
  return typeof data === 'object' && data !== null && 'path' in data && 'looksAt' in data;
}

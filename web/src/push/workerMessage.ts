/** What the service worker tells an open console, and how the console says that it has heard. */
export type WorkerMessage =
  | { type: 'openChat'; conversationId: string }
  /** Words of a reply are in the outbox, and somebody must see to them. */
  | { type: 'unsent'; conversationId: string }
  /** A worker knows only the address that a window was loaded from, not where its person has gone since. */
  | { type: 'where' };

export type WindowLocation = { path: string; looksAt: boolean };

export function isWorkerMessage(data: unknown): data is WorkerMessage {
  if (typeof data !== 'object' || data === null || !('type' in data)) return false;
  return data.type === 'where' || 'conversationId' in data;
}

export function isWindowLocation(data: unknown): data is WindowLocation {
  return typeof data === 'object' && data !== null && 'path' in data && 'looksAt' in data;
}

/** Messages from the service worker to an open console. */
export type WorkerMessage =
  | { type: 'openChat'; conversationId: string }
  /** The outbox contains the text of a reply that was not sent. */
  | { type: 'unsent'; conversationId: string }
  /** Asks which conversation is open. A worker knows only the address that a window was loaded from. */
  | { type: 'where' };

export type WindowLocation = { path: string; looksAt: boolean };

export function isWorkerMessage(data: unknown): data is WorkerMessage {
  if (typeof data !== 'object' || data === null || !('type' in data)) return false;
  return data.type === 'where' || 'conversationId' in data;
}

export function isWindowLocation(data: unknown): data is WindowLocation {
  return typeof data === 'object' && data !== null && 'path' in data && 'looksAt' in data;
}

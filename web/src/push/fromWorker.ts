/** What the service worker tells an open console, and how the console says that it has heard. */
export type FromWorker =
  | { type: 'openChat'; conversationId: string }
  /** Words of a reply are in the outbox, and somebody must see to them. */
  | { type: 'unsent'; conversationId: string };

export function isFromWorker(data: unknown): data is FromWorker {
  return typeof data === 'object' && data !== null && 'type' in data && 'conversationId' in data;
}

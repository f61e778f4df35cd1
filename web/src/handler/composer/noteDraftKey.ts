/** A note's draft lies beside the reply's, and the queue, which shows replies, does not find it. */
export function noteDraftKey(conversationId: string): string {
  return `${conversationId}:note`;
}

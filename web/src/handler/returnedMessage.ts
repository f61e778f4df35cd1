import type { Drafts } from '../chat/model/drafts.ts';

/**
 * Returned text may have been stored: its ack may have been lost when the chat moved to another desk. Sent
 * again unchanged, it keeps its message id, so the server stores it once.
 */
export function rememberMessage(
  drafts: Drafts,
  conversationId: string,
  messageId: string,
  text: string,
): void {
  drafts.write(keyOf(conversationId), `${messageId} ${text}`);
}

/** The message id of this text. Can be read once. */
export function takeMessageId(drafts: Drafts, conversationId: string, text: string): string | undefined {
  const kept = drafts.read(keyOf(conversationId));
  if (kept === '') return undefined;
  drafts.write(keyOf(conversationId), '');
  const [messageId = ''] = kept.split(' ', 1);
  return kept.slice(messageId.length + 1) === text.trim() ? messageId : undefined;
}

/** Not a draft key, so that the queue does not show it. */
function keyOf(conversationId: string): string {
  return `${conversationId}:message`;
}

import type { Drafts } from '../chat/model/drafts.ts';

/**
 * Words that came back may have been stored after all: their acknowledgement was still on its way when the chat moved
 * to another desk. Sent again unchanged, they keep the id of their message, and the server stores it once.
 */
export function rememberMessage(
  drafts: Drafts,
  conversationId: string,
  messageId: string,
  text: string,
): void {
  drafts.write(keyOf(conversationId), `${messageId} ${text}`);
}

/** The id of the message that these words were, once. */
export function takeMessageId(drafts: Drafts, conversationId: string, text: string): string | undefined {
  const kept = drafts.read(keyOf(conversationId));
  if (kept === '') return undefined;
  drafts.write(keyOf(conversationId), '');
  const [messageId = ''] = kept.split(' ', 1);
  return kept.slice(messageId.length + 1) === text.trim() ? messageId : undefined;
}

/** Beside the draft: the queue, which shows drafts, does not find it. */
function keyOf(conversationId: string): string {
  return `${conversationId}:message`;
}

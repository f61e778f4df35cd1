import { attempt } from '../chat/model/attempt.ts';
import { SEAT } from './savedChat.ts';

/** The conversation that a mail leads to: /chat#id. Undefined for the page itself. */
export function mailedConversation(hash: string): string | undefined {
  return /^#([0-9a-f-]{36})$/.exec(hash)?.[1];
}

/** The address of this conversation's chat, if this browser has it. The server knows only the hash of its token. */
export function pathOfChat(conversationId: string): string | undefined {
  const key = attempt(() =>
    Object.keys(localStorage).find(
      (each) => each.startsWith(SEAT) && localStorage.getItem(each) === conversationId,
    ),
  );
  return key && `/i/${encodeURIComponent(key.slice(SEAT.length))}`;
}

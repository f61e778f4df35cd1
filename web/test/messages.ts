import type { Message } from '@settee/protocol/model/message';

/** Messages by number, both included: the even ones are the owner's. */
export function messagesBetween(conversationId: string, first: number, last: number): Message[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => {
    const seq = first + i;
    const sender = seq % 2 === 0 ? 'owner' : 'visitor';
    return { conversationId, seq, id: `m${seq}`, sender, text: `No. ${seq}`, createdAt: seq };
  });
}

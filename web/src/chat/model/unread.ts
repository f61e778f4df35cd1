import type { ConversationState } from './conversationState.ts';

/** Numbers above `after` up to `until`: what was unread when the reader arrived. */
export type Unread = { after: number; until: number };

/** The read position, or the last own message if that is later. */
export function unreadAtOpening({ view, me, log }: ConversationState): Unread {
  const mark = (me === 'visitor' ? view?.visitorSeen : view?.ownerSeen) ?? 0;
  const own = log.messages.findLast(({ sender }) => sender === me)?.seq ?? 0;
  return { after: Math.max(mark, own), until: log.messages.at(-1)?.seq ?? 0 };
}

/** The key of the first unread message, if it is loaded. */
export function firstUnread(
  { me, log }: Pick<ConversationState, 'me' | 'log'>,
  { after, until }: Unread,
): string | undefined {
  return log.messages.find(({ seq, sender }) => seq > after && seq <= until && sender !== me)?.id;
}

/** Whether all unread messages are loaded, or nothing more can be. */
export function coversUnread({ log }: ConversationState, { after, until }: Unread): boolean {
  return after >= until || (log.messages[0]?.seq ?? 1) <= after + 1;
}

export function countNew(
  { me, log, looked }: Pick<ConversationState, 'me' | 'log' | 'looked'>,
  after: number,
): number {
  const from = Math.max(after, looked);
  let count = 0;
  for (let i = log.messages.length - 1; i >= 0; i -= 1) {
    const message = log.messages[i];
    if (!message || message.seq <= from) break;
    if (message.sender !== me) count += 1;
  }
  return count;
}

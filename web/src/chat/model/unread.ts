import type { ConversationState } from './conversationState.ts';

/** Numbers above `after`, up to `until`: what was new when somebody came to the list. */
export type Unread = { after: number; until: number };

/** How far this side had read: where its mark stands, or its own last words, which nobody writes unread. */
export function unreadAtOpening({ view, me, log }: ConversationState): Unread {
  const mark = (me === 'visitor' ? view?.visitorSeen : view?.ownerSeen) ?? 0;
  const own = log.messages.findLast(({ sender }) => sender === me)?.seq ?? 0;
  return { after: Math.max(mark, own), until: log.messages.at(-1)?.seq ?? 0 };
}

/** The message above which the line 'New' belongs, if it is loaded and there is one. */
export function firstUnread(
  { me, log }: Pick<ConversationState, 'me' | 'log'>,
  { after, until }: Unread,
): string | undefined {
  return log.messages.find(({ seq, sender }) => seq > after && seq <= until && sender !== me)?.id;
}

/** Whether all that is unread has been loaded, or there is nothing more to load. */
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

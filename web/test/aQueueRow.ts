import type { QueueRow } from '@settee/protocol/model/conversation';

/** A queue row with default values. `more` replaces fields. */
export function aQueueRow(conversationId: string, more: Partial<QueueRow> = {}): QueueRow {
  return {
    conversationId,
    visitorId: conversationId,
    visitorName: '',
    lastMessageAt: 1,
    lastMessage: '',
    lastSender: null,
    unread: 0,
    head: 1,
    rev: 1,
    waitingSince: null,
    markedUnread: false,
    lastAuthor: null,
    snoozedUntil: null,
    ...more,
  };
}

import * as v from 'valibot';
import { Seq, Time, Uuid } from './ids.ts';
import { Sender } from './message.ts';

export const ConversationStatus = v.picklist(['open', 'closed', 'blocked']);
export type ConversationStatus = v.InferOutput<typeof ConversationStatus>;

/** What both sides may know of a conversation. */
const shared = {
  id: Uuid,
  inviteId: Uuid,
  visitorId: Uuid,
  visitorName: v.string(),
  createdAt: Time,
  lastMessageAt: Time,
  /** Number of the newest message. */
  head: Seq,
  /** Grows with every change that is not a message; a receiver ignores an older one. */
  rev: Seq,
  visitorSeen: Seq,
  ownerSeen: Seq,
  /** When each mark last moved. */
  visitorSeenAt: v.optional(v.nullable(Time), null),
  ownerSeenAt: v.optional(v.nullable(Time), null),
};

/**
 * The host is away: `message` is what to say, `until` when the next opening hours begin, null when none are set. It
 * says nothing about whose hours they are.
 */
export const Away = v.object({ message: v.string(), until: v.nullable(Time) });
export type Away = v.InferOutput<typeof Away>;

/** The visitor's view: blocked reads as closed, and nothing tells who answers. */
export const VisitorConversation = v.object({
  ...shared,
  status: v.picklist(['open', 'closed']),
  /** False once sending would neither arrive nor reopen the conversation. */
  canSend: v.boolean(),
  /** Only the device that claimed the invite can make a code for another. */
  isFirstDevice: v.optional(v.boolean(), false),
  away: v.optional(v.nullable(Away), null),
  /** The continue code that works now. For the first device alone; null when a new one must be made. */
  continueCode: v.optional(v.nullable(v.string())),
  /** When another device last joined, of those still here. For the first device alone. */
  joinedAt: v.optional(v.nullable(Time), null),
  /** False if the administrator does not let visitors delete. */
  canErase: v.optional(v.boolean(), true),
});
export type VisitorConversation = v.InferOutput<typeof VisitorConversation>;

export const StaffConversation = v.object({
  ...shared,
  status: ConversationStatus,
  canSend: v.boolean(),
  handlerAlias: v.string(),
  unread: Seq,
});
export type StaffConversation = v.InferOutput<typeof StaffConversation>;

/** The staff's shape first: it is the wider one, and `v.union` takes the first that fits. */
export const Conversation = v.union([StaffConversation, VisitorConversation]);
export type Conversation = v.InferOutput<typeof Conversation>;

const queueRow = {
  conversationId: Uuid,
  visitorId: Uuid,
  visitorName: v.string(),
  lastMessageAt: Time,
  /** Text of the newest message, cut to PREVIEW_MAX; '[Media]' for media; empty before the first. */
  lastMessage: v.string(),
  lastSender: v.nullable(Sender),
  unread: Seq,
  head: Seq,
  rev: Seq,
  /** When the oldest message came that nobody has answered; null when the last word is ours. */
  waitingSince: v.optional(v.nullable(Time), null),
  /** A handler wants to see it again, though there is nothing new. */
  markedUnread: v.optional(v.boolean(), false),
  /** First name of the member of staff who wrote the newest message. */
  lastAuthor: v.optional(v.nullable(v.string()), null),
  /** Hidden from the queue until then, or until the visitor writes. Past: it came back by itself. */
  snoozedUntil: v.optional(v.nullable(Time), null),
};

/** One open conversation in a handler's queue. */
export const QueueRow = v.object(queueRow);
export type QueueRow = v.InferOutput<typeof QueueRow>;

/** One that was closed or blocked, as the list of these shows it, newest first. */
export const ClosedRow = v.object({
  ...queueRow,
  status: v.picklist(['closed', 'blocked']),
  closedAt: Time,
});
export type ClosedRow = v.InferOutput<typeof ClosedRow>;

/** The longest snooze. */
export const SNOOZE_MAX_MS = 31 * 24 * 3_600_000;

/** What is left of a deleted conversation, for DELETED_KEPT_DAYS: no name, no content. */
export const DeletedRow = v.object({
  conversationId: Uuid,
  handlerAlias: v.string(),
  deletedAt: Time,
  by: v.picklist(['visitor', 'staff', 'retention']),
});
export type DeletedRow = v.InferOutput<typeof DeletedRow>;

export const DELETED_KEPT_DAYS = 90;

export const CLOSED_PAGE = 50;

export const PREVIEW_MAX = 140;

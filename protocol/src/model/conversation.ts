import * as v from 'valibot';
import { Seq, Time, Uuid } from './ids.ts';
import { Sender } from './message.ts';

export const ConversationStatus = v.picklist(['open', 'closed', 'blocked']);
export type ConversationStatus = v.InferOutput<typeof ConversationStatus>;

/**
 * Why the visitor cannot read a conversation. `revoked`: the invite was revoked, for good. `removed`: every device was
 * removed, and a new code lets one in again.
 */
export const NoAccess = v.picklist(['revoked', 'removed']);
export type NoAccess = v.InferOutput<typeof NoAccess>;

/** Fields for visitors and staff. */
const shared = {
  id: Uuid,
  inviteId: Uuid,
  visitorId: Uuid,
  visitorName: v.string(),
  createdAt: Time,
  lastMessageAt: Time,
  /** Number of the newest message. */
  head: Seq,
  /** Increases with every change that is not a message. A receiver ignores a lower one. */
  rev: Seq,
  visitorSeen: Seq,
  ownerSeen: Seq,
  /** When each mark last moved. */
  visitorSeenAt: v.optional(v.nullable(Time), null),
  ownerSeenAt: v.optional(v.nullable(Time), null),
};

/**
 * The desk is closed. `message` is the text to show. `until` is when the next opening hours begin, null if there are
 * none. It does not reveal whose hours they are.
 */
export const Away = v.object({ message: v.string(), until: v.nullable(Time) });
export type Away = v.InferOutput<typeof Away>;

/** The visitor's view: a blocked conversation appears closed, and nothing reveals who answers. */
export const VisitorConversation = v.object({
  ...shared,
  status: v.picklist(['open', 'closed']),
  /** False if a message would neither be accepted nor reopen the conversation. */
  canSend: v.boolean(),
  /** Only the device that claimed the invite can create a code for another. */
  isFirstDevice: v.optional(v.boolean(), false),
  away: v.optional(v.nullable(Away), null),
  /** The current continue code. Only for the first device; null if a new one must be created. */
  continueCode: v.optional(v.nullable(v.string())),
  /** When the newest of the other attached devices joined. Only for the first device. */
  joinedAt: v.optional(v.nullable(Time), null),
  /** False if the administrator does not allow visitors to delete. */
  canErase: v.optional(v.boolean(), true),
  /** True if the visitor can leave an e-mail address. */
  canMail: v.optional(v.boolean(), false),
});
export type VisitorConversation = v.InferOutput<typeof VisitorConversation>;

export const StaffConversation = v.object({
  ...shared,
  status: ConversationStatus,
  canSend: v.boolean(),
  handlerAlias: v.string(),
  unread: Seq,
  /** Null if the visitor can read it. */
  noAccess: v.optional(v.nullable(NoAccess), null),
});
export type StaffConversation = v.InferOutput<typeof StaffConversation>;

/** The shape for staff comes first: it has more fields, and `v.union` takes the first that matches. */
export const Conversation = v.union([StaffConversation, VisitorConversation]);
export type Conversation = v.InferOutput<typeof Conversation>;

const queueRow = {
  conversationId: Uuid,
  /** The desk. Only in answers to a person with several; a frame names the desk of all its rows. */
  alias: v.optional(v.string()),
  visitorId: Uuid,
  visitorName: v.string(),
  lastMessageAt: Time,
  /** Text of the newest message, cut to PREVIEW_MAX; '[Media]' for an image; empty before the first. */
  lastMessage: v.string(),
  lastSender: v.nullable(Sender),
  unread: Seq,
  head: Seq,
  rev: Seq,
  /** Time of the oldest unanswered message; null if the desk answered last. */
  waitingSince: v.optional(v.nullable(Time), null),
  /** A handler marked it as unread. */
  markedUnread: v.optional(v.boolean(), false),
  /** First name of the staff member who wrote the newest message. */
  lastAuthor: v.optional(v.nullable(v.string()), null),
  /** Hidden from the queue until then, or until the visitor writes. In the past: it is visible again. */
  snoozedUntil: v.optional(v.nullable(Time), null),
  noAccess: v.optional(v.nullable(NoAccess), null),
};

/** An open conversation in a handler's queue. */
export const QueueRow = v.object(queueRow);
export type QueueRow = v.InferOutput<typeof QueueRow>;

/** A row in the list of closed and blocked conversations. */
export const ClosedRow = v.object({
  ...queueRow,
  status: v.picklist(['closed', 'blocked']),
  closedAt: Time,
});
export type ClosedRow = v.InferOutput<typeof ClosedRow>;

export const SNOOZE_MAX_MS = 31 * 24 * 3_600_000;

/** The remains of a deleted conversation, stored for DELETED_KEPT_DAYS: no name, no content. */
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

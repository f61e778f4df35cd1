import * as v from 'valibot';
import { Brand } from './brand.ts';
import { Conversation, QueueRow } from './conversation.ts';
import { ErrorCode } from './errorCodes.ts';
import { Seq, Time, Uuid } from './ids.ts';
import { Message, Sender } from './message.ts';
import { StaffClaims } from './staff.ts';

export const Welcome = v.object({
  type: v.literal('welcome'),
  version: v.number(),
  serverTime: Time,
  brand: Brand,
  online: v.boolean(),
  visitorId: v.optional(Uuid),
  staff: v.optional(StaffClaims),
});

/**
 * Answers `watch`: the conversation, and the messages after the number that was given (the newest
 * page when none was). While the last message's number is below `conversation.head`, ask `range`.
 */
export const Watched = v.object({
  type: v.literal('watched'),
  conversation: Conversation,
  messages: v.array(Message),
});

export const MessageDown = v.object({ type: v.literal('message'), message: Message });

/** Sent only after the commit: the message is stored under this number for ever. */
export const Ack = v.object({
  type: v.literal('ack'),
  conversationId: Uuid,
  id: Uuid,
  seq: Seq,
  createdAt: Time,
});

/** A frame that was not done. With an `id` it answers that `send`. */
export const Refused = v.object({
  type: v.literal('refused'),
  code: ErrorCode,
  conversationId: v.optional(Uuid),
  id: v.optional(Uuid),
});

/** Answers `range`. */
export const Messages = v.object({
  type: v.literal('messages'),
  conversationId: Uuid,
  messages: v.array(Message),
  head: Seq,
});

/** Something other than a message changed: name, status, seen marks. The higher `rev` wins. */
export const ConversationDown = v.object({
  type: v.literal('conversation'),
  conversation: Conversation,
});

/** The conversation is no longer this caller's to see. */
export const Gone = v.object({ type: v.literal('gone'), conversationId: Uuid });

export const TypingDown = v.object({
  type: v.literal('typing'),
  conversationId: Uuid,
  sender: Sender,
});

/** Answers `watchQueue`: the alias's open conversations, newest first. */
export const Queue = v.object({ type: v.literal('queue'), rows: v.array(QueueRow) });

/** Rows that came or changed, and conversations that left the queue. */
export const QueueChange = v.object({
  type: v.literal('queueChange'),
  rows: v.array(QueueRow),
  gone: v.array(Uuid),
});

export const Presence = v.object({ type: v.literal('presence'), online: v.boolean() });

export const BrandDown = v.object({ type: v.literal('brand'), brand: Brand });

export const Pong = v.object({ type: v.literal('pong') });

export const Down = v.variant('type', [
  Ack,
  MessageDown,
  TypingDown,
  ConversationDown,
  QueueChange,
  Watched,
  Messages,
  Refused,
  Queue,
  Presence,
  BrandDown,
  Pong,
  Gone,
  Welcome,
]);
export type Down = v.InferOutput<typeof Down>;

/** The one close code after which a client must not come back by itself; the reason says why. */
export const CLOSE_FINAL = 4000;
export const CloseReason = v.picklist(['outdated', 'signed_out', 'too_many_sockets']);
export type CloseReason = v.InferOutput<typeof CloseReason>;

/** Close codes after which a client backs off and comes back: the server leaves, or wants a new token. */
export const CLOSE_RESTART = 1012;
export const CLOSE_TRY_LATER = 1013;
export const CLOSE_UNAUTHENTICATED = 1008;

import * as v from 'valibot';
import { Brand } from '../model/brand.ts';
import { ErrorCode } from '../model/errorCodes.ts';
import { Seq, Time, Uuid } from '../model/ids.ts';
import { Message, Sender } from '../model/message.ts';

/** Part of every `welcome`. The other fields identify the caller. */
export const greeting = {
  type: v.literal('welcome'),
  version: v.number(),
  serverTime: Time,
  brand: Brand,
  online: v.boolean(),
  /** The gateway supports `held` in a `send` and wants it. */
  traced: v.optional(v.boolean()),
};

/**
 * Answers `watch`: the conversation, and the messages after the given number (without one, the newest page). While the
 * last message's number is below `conversation.head`, ask `range`.
 */
export function watchedFrame<C extends v.GenericSchema>(conversation: C) {
  return v.object({ type: v.literal('watched'), conversation, messages: v.array(Message) });
}

/** A change that is not a message: name, status, seen marks. The higher `rev` wins. */
export function conversationFrame<C extends v.GenericSchema>(conversation: C) {
  return v.object({ type: v.literal('conversation'), conversation });
}

/** Frames for visitors and staff. */
export const commonFrames = [
  /** Sent only after the commit: the message is stored with this number permanently. */
  v.object({ type: v.literal('ack'), conversationId: Uuid, id: Uuid, seq: Seq, createdAt: Time }),
  v.object({ type: v.literal('message'), message: Message }),
  v.object({ type: v.literal('typing'), conversationId: Uuid, sender: Sender }),
  /** Answers `range`. */
  v.object({ type: v.literal('messages'), conversationId: Uuid, messages: v.array(Message), head: Seq }),
  /** A frame was refused. With an `id` it answers that `send`. */
  v.object({
    type: v.literal('refused'),
    code: ErrorCode,
    conversationId: v.optional(Uuid),
    id: v.optional(Uuid),
  }),
  v.object({ type: v.literal('presence'), online: v.boolean() }),
  v.object({ type: v.literal('brand'), brand: Brand }),
  v.object({ type: v.literal('pong') }),
  /** The caller can no longer read the conversation. If it was erased, nothing of it may stay on the screen. */
  v.object({ type: v.literal('gone'), conversationId: Uuid, erased: v.optional(v.boolean()) }),
] as const;

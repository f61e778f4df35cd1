import * as v from 'valibot';
import { Doing } from '../model/colleague.ts';
import { Seq, Uuid } from '../model/ids.ts';
import { MessageText } from '../model/message.ts';

/** Bytes of the largest frame a client may send; MESSAGE_TEXT_MAX characters always fit. */
export const FRAME_MAX_BYTES = 16_384;

/** A day. What was written longer ago says nothing of how quick anything is. */
const HELD_MAX_MS = 86_400_000;

/** Opens every socket: nothing else is heard before it. The ID token never rides in the URL. */
export const Hello = v.strictObject({
  type: v.literal('hello'),
  version: v.pipe(v.number(), v.integer()),
  token: v.string(),
  /** An administrator's page: whoever has it open is not there for visitors by that. */
  manages: v.optional(v.boolean()),
});

/** A fresh ID token for the same person, before the old one ends. */
export const Renew = v.strictObject({ type: v.literal('renew'), token: v.string() });

/** Asks for a conversation and all that happens in it. `after` is the last number the client has. */
export const Watch = v.strictObject({
  type: v.literal('watch'),
  conversationId: Uuid,
  after: v.optional(Seq),
});

export const Unwatch = v.strictObject({ type: v.literal('unwatch'), conversationId: Uuid });

export const WatchQueue = v.strictObject({ type: v.literal('watchQueue') });

export const Send = v.strictObject({
  type: v.literal('send'),
  conversationId: Uuid,
  id: Uuid,
  text: MessageText,
  /**
   * The last number that a member of staff had seen when writing. If somebody else answered after it, the message is
   * refused with `reply_outdated`. A visitor's is not looked at.
   */
  after: v.optional(Seq),
  /**
   * For traces: milliseconds since its writer pressed Enter. Only for a gateway whose `welcome` says `traced`. A clock
   * that was set back must not cost a message: what makes no sense counts as 0.
   */
  held: v.optional(v.fallback(v.pipe(v.number(), v.minValue(0), v.maxValue(HELD_MAX_MS)), 0)),
});

/** An image that was uploaded, once it is ready, as a message of its own. */
export const SendMedia = v.strictObject({
  type: v.literal('sendMedia'),
  conversationId: Uuid,
  id: Uuid,
  mediaId: Uuid,
  after: v.optional(Seq),
});

/** Fills a gap: the messages after `after`, oldest first, one page. */
export const Range = v.strictObject({ type: v.literal('range'), conversationId: Uuid, after: Seq });

export const Typing = v.strictObject({ type: v.literal('typing'), conversationId: Uuid });

export const Seen = v.strictObject({ type: v.literal('seen'), conversationId: Uuid, seq: Seq });

/** A member of staff is in a conversation that they watch; said again every ATTEND_EVERY_MS. */
export const Attend = v.strictObject({ type: v.literal('attend'), conversationId: Uuid, doing: Doing });

/** A browser cannot send the protocol's own ping; this is how it learns that a line is dead. */
export const Ping = v.strictObject({ type: v.literal('ping') });

/** An administrator's page wants to hear what changes anywhere. */
export const WatchManagement = v.strictObject({ type: v.literal('watchManagement') });

export const Up = v.variant('type', [
  Send,
  SendMedia,
  Seen,
  Typing,
  Attend,
  Ping,
  Range,
  Watch,
  Unwatch,
  WatchQueue,
  WatchManagement,
  Renew,
  Hello,
]);
export type Up = v.InferOutput<typeof Up>;

import * as v from 'valibot';
import { Doing } from '../model/colleague.ts';
import { Seq, Uuid } from '../model/ids.ts';
import { MessageText } from '../model/message.ts';
import { QueueKey, QueueShow } from '../model/queue.ts';
import { Alias } from '../model/staff.ts';

/** Maximum bytes of a client's frame. MESSAGE_TEXT_MAX characters always fit. */
export const FRAME_MAX_BYTES = 16_384;

/** One day. An older message says nothing about speed. */
const HELD_MAX_MS = 86_400_000;

/** Every frame that a client can send. */
export const Up = v.variant('type', [
  v.strictObject({
    type: v.literal('send'),
    conversationId: Uuid,
    id: Uuid,
    text: MessageText,
    /**
     * The last number that a staff member had seen when writing. If a colleague answered after it, the message is
     * refused with `reply_outdated`. Ignored for visitors.
     */
    after: v.optional(Seq),
    /**
     * For traces: milliseconds since the sender pressed Enter. Only for a gateway whose `welcome` has `traced`. An
     * invalid value counts as 0, so that a wrong clock does not cost a message.
     */
    held: v.optional(v.fallback(v.pipe(v.number(), v.minValue(0), v.maxValue(HELD_MAX_MS)), 0)),
  }),
  /** Sends an uploaded image as a message, once it is ready. */
  v.strictObject({
    type: v.literal('sendMedia'),
    conversationId: Uuid,
    id: Uuid,
    mediaId: Uuid,
    after: v.optional(Seq),
  }),
  v.strictObject({ type: v.literal('seen'), conversationId: Uuid, seq: Seq }),
  v.strictObject({ type: v.literal('typing'), conversationId: Uuid }),
  /** A staff member is in a conversation that they watch. Repeated every ATTEND_EVERY_MS. */
  v.strictObject({ type: v.literal('attend'), conversationId: Uuid, doing: Doing }),
  /** A browser cannot send the protocol's own ping; this is how it learns that a line is dead. */
  v.strictObject({ type: v.literal('ping') }),
  /** Fills a gap: the messages after `after`, oldest first, one page. */
  v.strictObject({ type: v.literal('range'), conversationId: Uuid, after: Seq }),
  /** Subscribes to a conversation. `after` is the last number that the client has. */
  v.strictObject({ type: v.literal('watch'), conversationId: Uuid, after: v.optional(Seq) }),
  v.strictObject({ type: v.literal('unwatch'), conversationId: Uuid }),
  /** `paged`: answer with the first page. Only for a gateway whose `welcome` has `queuePages`. */
  v.strictObject({
    type: v.literal('watchQueue'),
    paged: v.optional(v.literal(true)),
    /**
     * All desks of the person, not only the first: they are online from now on. Only for a gateway whose `welcome` has
     * `staff.desks`.
     */
    desks: v.optional(v.literal(true)),
  }),
  /** The next rows of a list of the watched queue; without `after`, the first. */
  v.strictObject({
    type: v.literal('queuePage'),
    show: QueueShow,
    after: v.optional(QueueKey),
    /** The desk; only for a console that watches several. */
    alias: v.optional(Alias),
  }),
  /** Subscribes an administrator's page to changes everywhere. */
  v.strictObject({ type: v.literal('watchManagement') }),
  /** A new ID token for the same person, before the old one expires. */
  v.strictObject({ type: v.literal('renew'), token: v.string() }),
  /** The first frame of every socket; the server accepts no other before it. The ID token is never part of the URL. */
  v.strictObject({
    type: v.literal('hello'),
    version: v.pipe(v.number(), v.integer()),
    token: v.string(),
    /** From an administrator's page. It does not make the person available to visitors. */
    manages: v.optional(v.boolean()),
    /** The token of the link that a visitor's page shows, unless it shows the first profile. Release 0.2.0 has only that. */
    invite: v.optional(v.string()),
  }),
]);
export type Up = v.InferOutput<typeof Up>;

import * as v from 'valibot';
import { Seq, Uuid } from './ids.ts';

/** How often a subscription is sent to the server again, and how long before its end it is renewed. */
export const PUSH_REFRESH_MS = 7 * 24 * 3_600_000;
export const PUSH_RENEW_BEFORE_END_MS = 3_600_000;
/** Timeout for the browser's push service. */
export const PUSH_TIMEOUT_MS = 10_000;

/**
 * A message that is seen within PUSH_AFTER_MS causes no notification. Two notifications of a conversation are at least
 * PUSH_APART_MS apart.
 */
export const PUSH_AFTER_MS = 10_000;
export const PUSH_APART_MS = 30_000;
export const PUSH_DEVICES_MAX = 5;

const base64url = (bytes: number) => {
  const length = Math.ceil((bytes * 4) / 3);
  return v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]+$/), v.length(length));
};

/** A browser's address at its push service. Browsers use no other characters in it. */
export const PushEndpoint = v.pipe(v.string(), v.regex(/^[!-~]+$/), v.maxLength(1_024));

/** The address, and the keys to encrypt a payload for this browser. */
export const PushSubscription = v.strictObject({
  endpoint: PushEndpoint,
  p256dh: base64url(65),
  auth: base64url(16),
});
export type PushSubscription = v.InferOutput<typeof PushSubscription>;

/**
 * The encrypted content of a push: that there is a message, and in which chat. It contains no message text and no
 * token, and for a visitor nothing about who answers. The page fetches the rest.
 */
export const PushPayload = v.variant('kind', [
  v.object({
    kind: v.literal('message'),
    /** The recipient. It decides which page a click opens. */
    to: v.picklist(['visitor', 'staff']),
    conversationId: Uuid,
    seq: Seq,
    /** The profile's name for a visitor; the visitor's name in the queue for a handler, and the profile's for one of several. */
    title: v.string(),
  }),
  v.object({ kind: v.literal('test'), to: v.picklist(['visitor', 'staff']), title: v.string() }),
]);
export type PushPayload = v.InferOutput<typeof PushPayload>;

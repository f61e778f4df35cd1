import * as v from 'valibot';
import { Seq, Uuid } from './ids.ts';

/** A token is told to the server again after this long, and renewed this long before it ends. */
export const PUSH_REFRESH_MS = 7 * 24 * 3_600_000;
export const PUSH_RENEW_BEFORE_END_MS = 3_600_000;
/** What the browser's push service does must be done by then. */
export const PUSH_TIMEOUT_MS = 10_000;

/** A message that is seen within this time gives no notification; two of one conversation keep this distance. */
export const PUSH_AFTER_MS = 10_000;
export const PUSH_APART_MS = 30_000;
export const PUSH_DEVICES_MAX = 5;

const base64url = (bytes: number) => {
  const length = Math.ceil((bytes * 4) / 3);
  return v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]+$/), v.length(length));
};

/** A browser's address at its push service. An address as browsers write it has no other characters. */
export const PushEndpoint = v.pipe(v.string(), v.regex(/^[!-~]+$/), v.maxLength(1_024));

/** That address, and the keys that only this browser can open a payload with. */
export const PushSubscription = v.strictObject({
  endpoint: PushEndpoint,
  p256dh: base64url(65),
  auth: base64url(16),
});
export type PushSubscription = v.InferOutput<typeof PushSubscription>;

/**
 * What a push carries, encrypted. No word of the message, no token, and towards a visitor nothing about who answers:
 * it says that there is something, and in which chat. The page fetches the rest.
 */
export const PushPayload = v.variant('kind', [
  v.object({
    kind: v.literal('message'),
    /** Who is told: it decides which page a click opens. */
    to: v.picklist(['visitor', 'staff']),
    conversationId: Uuid,
    seq: Seq,
    /** A visitor reads the profile's name here, a handler what the queue calls the visitor. */
    title: v.string(),
  }),
  v.object({ kind: v.literal('test'), to: v.picklist(['visitor', 'staff']), title: v.string() }),
]);
export type PushPayload = v.InferOutput<typeof PushPayload>;

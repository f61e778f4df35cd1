import * as v from 'valibot';
import { webhookTexts } from '../texts/webhookTexts.ts';
import { Seq, Time, Uuid } from './ids.ts';
import { MESSAGE_TEXT_MAX, Sender } from './message.ts';

export const WEBHOOKS_MAX = 10;
export const WEBHOOK_URL_MAX = 2_000;
export const WEBHOOK_SECRET_START = 'whsec_';
/** After a rotation, both secrets sign for this long. */
export const WEBHOOK_OVERLAP_HOURS = 24;
/** An endpoint that fails for this long is disabled. */
export const WEBHOOK_DISABLE_DAYS = 5;
/** Finished deliveries are deleted after this time, and those of a paused endpoint after twice the time. */
export const WEBHOOK_KEPT_DAYS = 7;
export const DELIVERIES_PAGE = 50;

export const WebhookEvent = v.picklist([
  'invite.opened',
  'invite.started',
  'conversation.waiting',
  'conversation.answered',
  'conversation.closed',
  'message.stored',
]);
export type WebhookEvent = v.InferOutput<typeof WebhookEvent>;

const invite = { inviteId: Uuid };
const conversation = { ...invite, conversationId: Uuid };
const message = { ...conversation, messageId: Uuid, seq: Seq };

function payload<const T extends WebhookEvent, const D extends v.ObjectEntries>(type: T, data: D) {
  return v.object({
    type: v.literal(type),
    /** When it happened, in ISO 8601. */
    timestamp: v.pipe(v.string(), v.isoTimestamp()),
    data: v.object(data),
  });
}

/** The body of a delivery. It has ids, and text only if the endpoint asks for it. Never a name, an alias or a label. */
export const WebhookPayload = v.variant('type', [
  payload('invite.opened', invite),
  payload('invite.started', conversation),
  payload('conversation.waiting', message),
  payload('conversation.answered', message),
  payload('conversation.closed', conversation),
  payload('message.stored', {
    ...message,
    from: Sender,
    kind: v.picklist(['text', 'image']),
    text: v.optional(v.pipe(v.string(), v.maxLength(MESSAGE_TEXT_MAX))),
  }),
]);
export type WebhookPayload = v.InferOutput<typeof WebhookPayload>;

const Url = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, webhookTexts.urlMissing),
  v.maxLength(WEBHOOK_URL_MAX, webhookTexts.urlRefused),
);
const Events = v.pipe(
  v.array(WebhookEvent),
  v.minLength(1, webhookTexts.eventsMissing),
  v.maxLength(WebhookEvent.options.length),
);

export const WebhookDraft = v.strictObject({
  /** An https address with a public host name. */
  url: Url,
  events: Events,
  /** Whether `message.stored` contains the text. */
  withText: v.boolean(),
});
export type WebhookDraft = v.InferOutput<typeof WebhookDraft>;

/** Omitted fields stay unchanged. */
export const WebhookChange = v.strictObject({
  url: v.optional(Url),
  events: v.optional(Events),
  withText: v.optional(v.boolean()),
  /** `paused` keeps events for later. `active` also ends `disabled`. */
  state: v.optional(v.picklist(['active', 'paused'])),
});
export type WebhookChange = v.InferOutput<typeof WebhookChange>;

export const Webhook = v.object({
  id: Uuid,
  url: v.string(),
  events: v.array(WebhookEvent),
  withText: v.boolean(),
  /** `disabled`: it failed for days, or answered 410. It gets no events. */
  state: v.picklist(['active', 'paused', 'disabled']),
  createdAt: Time,
  /** Time of the first failure since the last success; null if the last attempt succeeded. */
  failingSince: v.nullable(Time),
  /** Until then, the previous secret signs too. */
  previousSecretUntil: v.nullable(Time),
});
export type Webhook = v.InferOutput<typeof Webhook>;

/** Why there was no response, where Node.js has no code for it. */
export type WebhookProblem = keyof typeof webhookTexts.problems;

/** One event for one endpoint. */
export const WebhookDelivery = v.object({
  /** Also in the header `webhook-id`, after `evt_`. */
  id: Uuid,
  /** Increases with every event. */
  position: v.number(),
  type: WebhookEvent,
  at: Time,
  conversationId: v.nullable(Uuid),
  inviteId: Uuid,
  state: v.picklist(['waiting', 'delivered', 'failed']),
  attempts: v.number(),
  /** The last attempt; null before the first. */
  triedAt: v.nullable(Time),
  /** HTTP status of the last response; null if there was none. */
  status: v.nullable(v.number()),
  /** Why there was no response: a `WebhookProblem`, or a code of Node.js, such as `ECONNREFUSED`. */
  problem: v.nullable(v.string()),
  tookMs: v.nullable(v.number()),
  /** The next attempt, for one that waits. */
  nextAt: v.nullable(Time),
});
export type WebhookDelivery = v.InferOutput<typeof WebhookDelivery>;

import * as v from 'valibot';
import { Time } from '../model/ids.ts';
import { Webhook, WebhookChange, WebhookDelivery, WebhookDraft } from '../model/webhook.ts';
import { call } from './call.ts';

const Position = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(Number.MAX_SAFE_INTEGER));

/** Calls of administrators about webhooks. */
export const webhookCalls = {
  readWebhooks: call('GET', '/manage/webhooks', 'admin', { answer: { webhooks: v.array(Webhook) } }),
  /** Only this answer contains the secret. */
  createWebhook: call('POST', '/manage/webhooks', 'admin', {
    body: WebhookDraft,
    answer: { webhook: Webhook, secret: v.string() },
  }),
  changeWebhook: call('PUT', '/manage/webhooks/:id', 'admin', { body: WebhookChange }),
  /** Also deletes its deliveries. */
  deleteWebhook: call('DELETE', '/manage/webhooks/:id', 'admin'),
  /** A new secret. The previous one also signs until `previousUntil`. */
  rotateWebhookSecret: call('POST', '/manage/webhooks/:id/secret', 'admin', {
    answer: { secret: v.string(), previousUntil: Time },
  }),
  /** The deliveries of the last days, newest first. */
  readDeliveries: call('GET', '/manage/webhooks/:id/deliveries', 'admin', {
    query: {
      show: v.optional(v.picklist(['waiting', 'delivered', 'failed'])),
      /** Only those with a lower position. */
      before: v.optional(v.pipe(v.string(), v.regex(/^[1-9][0-9]{0,14}$/), v.toNumber())),
    },
    answer: { deliveries: v.array(WebhookDelivery), next: v.nullable(v.number()) },
  }),
  /** Sends it again, with the same `webhook-id`. */
  resendDelivery: call('POST', '/manage/webhooks/:id/resend', 'admin', { body: { position: Position } }),
} as const;

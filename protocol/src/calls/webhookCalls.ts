import * as v from 'valibot';
import { Time } from '../model/ids.ts';
import { Webhook, WebhookChange, WebhookDelivery, WebhookDraft } from '../model/webhook.ts';
import { call } from './call.ts';

const Position = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(Number.MAX_SAFE_INTEGER));

/** Calls of administrators about webhooks. */
export const webhookCalls = {
  readWebhooks: call({
    route: 'GET /manage/webhooks',
    summary: 'Read the webhooks.',
    auth: 'admin',
    answer: { webhooks: v.array(Webhook) },
  }),
  createWebhook: call({
    route: 'POST /manage/webhooks',
    summary: 'Add a webhook. Only this response contains its secret.',
    auth: 'admin',
    refusals: ['password_required'],
    body: WebhookDraft,
    answer: { webhook: Webhook, secret: v.string() },
  }),
  changeWebhook: call({
    route: 'PUT /manage/webhooks/:id',
    summary: 'Change, pause or resume a webhook.',
    auth: 'admin',
    refusals: ['password_required'],
    body: WebhookChange,
  }),
  deleteWebhook: call({
    route: 'DELETE /manage/webhooks/:id',
    summary: 'Delete a webhook and its deliveries.',
    auth: 'admin',
  }),
  /** A new secret. The previous one also signs until `previousUntil`. */
  rotateWebhookSecret: call({
    route: 'POST /manage/webhooks/:id/secret',
    summary: 'Replace the secret of a webhook. Both secrets sign for 24 hours.',
    auth: 'admin',
    refusals: ['password_required'],
    answer: { secret: v.string(), previousUntil: Time },
  }),
  readDeliveries: call({
    route: 'GET /manage/webhooks/:id/deliveries',
    summary: 'Read the deliveries of a webhook, newest first, a page at a time.',
    auth: 'admin',
    query: {
      show: v.optional(v.picklist(['waiting', 'delivered', 'failed'])),
      /** Only those with a lower position. */
      before: v.optional(v.pipe(v.string(), v.regex(/^[1-9][0-9]{0,14}$/), v.toNumber())),
    },
    answer: { deliveries: v.array(WebhookDelivery), next: v.nullable(v.number()) },
  }),
  /** Sends it again, with the same `webhook-id`. */
  resendDelivery: call({
    route: 'POST /manage/webhooks/:id/resend',
    summary: 'Send an event again.',
    auth: 'admin',
    body: { position: Position },
  }),
} as const;

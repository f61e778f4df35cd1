import { type WebhookEvent, WebhookPayload } from '../../protocol/src/model/webhook.ts';
import { webhookTexts } from '../../protocol/src/texts/webhookTexts.ts';
import { describe, type Json } from './schemas.ts';

/** The events of webhooks. docs/integrations.md has the rules for receivers. */
export const webhookEvents: { type: WebhookEvent; summary: string; schema: Json }[] =
  WebhookPayload.options.map((option) => {
    const type = option.entries.type.literal;
    return { type, summary: `${webhookTexts.eventTexts[type]}.`, schema: describe(option) };
  });

const HEADERS = {
  'webhook-id': 'Of the event: the same in every attempt. Use it to ignore repeats.',
  'webhook-timestamp': 'Time of the attempt, in seconds since 1970.',
  'webhook-signature': 'One or two signatures, separated by a space: `v1,` and the HMAC-SHA256 in base64.',
};

/** For `webhooks` of OpenAPI 3.1: the requests that Settee sends. */
export function openApiWebhooks() {
  return Object.fromEntries(
    webhookEvents.map(({ type, summary, schema }) => [
      type,
      {
        post: {
          summary,
          parameters: Object.entries(HEADERS).map(([name, description]) => ({
            name,
            in: 'header',
            required: true,
            description,
            schema: { type: 'string' },
          })),
          requestBody: { required: true, content: { 'application/json': { schema } } },
          responses: {
            '2XX': { description: 'Accepted. Any other response, or none within ten seconds, is a failure.' },
            410: { description: 'Settee disables the webhook.' },
          },
        },
      },
    ]),
  );
}

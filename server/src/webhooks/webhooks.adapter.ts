import type { WebhookProblem } from '@settee/protocol/model/webhook';
import type { Config } from '../platform/config/config.ts';
import {
  describeFailure,
  dialGuarded,
  type NetworkOverrides,
  readRetryAfter,
} from '../platform/net/guardedDialler.ts';
import type { Clock, WebhookSender } from '../platform/ports/ports.ts';
import { readWebhookUrl } from './webhookUrl.ts';

/** Through the guarded dialler: public addresses only, no redirects, ten seconds, and only the head of the response. */
export function openWebhooks(
  { webhookHosts }: Pick<Config, 'webhookHosts'>,
  clock: Clock,
  overrides: NetworkOverrides = {},
): WebhookSender {
  return {
    async send(url, { headers, body }) {
      const endpoint = readWebhookUrl(url, webhookHosts);
      if (endpoint === undefined) return { status: null, problem: 'not_allowed' satisfies WebhookProblem };
      try {
        const bytes = Buffer.from(body);
        const sized = { ...headers, 'content-length': String(bytes.length) };
        const { status, retryAfter } = await dialGuarded(
          endpoint,
          { headers: sized, body: bytes, clock },
          overrides,
        );
        const seconds = readRetryAfter(retryAfter, clock);
        return { status, ...(seconds !== undefined && { retryAfterSeconds: seconds }) };
      } catch (error) {
        return { status: null, problem: describeFailure(error) };
      }
    },
  };
}

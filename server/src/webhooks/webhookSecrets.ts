import { createHmac } from 'node:crypto';
import { WEBHOOK_SECRET_START } from '@settee/protocol/model/webhook';
import type { App } from '../platform/app.ts';
import { decrypt, encrypt } from '../platform/auth/encryption.ts';
import { keyFor, keysFor } from '../platform/config/keys.ts';

/** Standard Webhooks asks for 24 to 64 bytes. */
const RANDOM_BYTES = 32;

export function newWebhookSecret(app: Pick<App, 'random'>): string {
  return WEBHOOK_SECRET_START + Buffer.from(app.random.bytes(RANDOM_BYTES)).toString('base64');
}

/** Sealed for storage: we sign with it, so a hash is not enough. */
export function sealWebhookSecret(
  app: Pick<App, 'random'> & { config: { secret: string } },
  endpointId: string,
  secret: string,
): Buffer {
  return encrypt(app, keyFor(app.config, 'webhook secret'), endpointId, secret);
}

/** Undefined when it was sealed for another endpoint or with another SECRET. */
export function openWebhookSecret(
  app: { config: Parameters<typeof keysFor>[0] },
  endpointId: string,
  sealed: Buffer,
): string | undefined {
  return decrypt(keysFor(app.config, 'webhook secret'), endpointId, sealed);
}

/** The headers of Standard Webhooks, with one signature per secret. */
export function webhookHeaders(
  secrets: readonly string[],
  { id, body, now }: { id: string; body: string; now: number },
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(WEBHOOK_SECRET_START.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
    'content-type': 'application/json',
    'user-agent': 'Settee-Webhooks',
  };
}

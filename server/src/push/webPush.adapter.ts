import { ECDH } from 'node:crypto';
import { buildPushPayload } from '@block65/webcrypto-web-push';
import type { PushPayload, PushSubscription } from '@settee/protocol/model/push';
import type { Config } from '../platform/config/config.ts';
import { vapidPublicKey } from '../platform/config/vapidKey.ts';
import {
  type DialResponse,
  describeFailure,
  dialGuarded,
  type NetworkOverrides,
  readRetryAfter,
} from '../platform/net/guardedDialler.ts';
import type { Clock, PushOptions, PushOutcome, PushSender } from '../platform/ports/ports.ts';
import { readPushEndpoint } from './pushEndpoints.ts';

/** Web Push. Undefined without a VAPID key. */
export function openPush(
  { vapid, pushHosts }: Pick<Config, 'vapid' | 'pushHosts'>,
  clock: Clock,
  overrides: NetworkOverrides = {},
): PushSender | undefined {
  const publicKey = vapid && vapidPublicKey(vapid.privateKey);
  if (vapid === undefined || publicKey === undefined) return undefined;
  return {
    publicKey,
    accepts: (to) => readPushEndpoint(to.endpoint, pushHosts) !== undefined && isPoint(to.p256dh),
    async send(to, payload, options) {
      const endpoint = readPushEndpoint(to.endpoint, pushHosts);
      if (endpoint === undefined) return { failed: 'not a push service that we send to', refused: true };
      try {
        const encrypted = await encrypt(to, payload, options, { ...vapid, publicKey });
        return outcome(await dialGuarded(endpoint, { ...encrypted, clock }, overrides), clock);
      } catch (error) {
        return { failed: describeFailure(error), refused: false };
      }
    },
  };
}

/** aes128gcm. The library pads to one length, so that the size reveals nothing. The VAPID token is valid for 12 hours. */
async function encrypt(
  { endpoint, p256dh, auth }: PushSubscription,
  payload: PushPayload,
  { topic, ttlSeconds }: PushOptions,
  vapid: { subject: string; publicKey: string; privateKey: string },
): Promise<{ headers: Record<string, string>; body: Uint8Array }> {
  const built = await buildPushPayload(
    // As a string, so that the library does not choose the encoding.
    { data: JSON.stringify(payload), options: { ttl: ttlSeconds, topic, urgency: 'high' } },
    { endpoint, expirationTime: null, keys: { p256dh, auth } },
    vapid,
  );
  return { headers: built.headers as Record<string, string>, body: built.body };
}

function outcome({ status, retryAfter }: DialResponse, clock: Clock): PushOutcome {
  if (status === 200 || status === 201 || status === 202) return 'sent';
  if (status === 404 || status === 410) return 'gone';
  const later = status === 429 || status >= 500;
  const seconds = later ? readRetryAfter(retryAfter, clock) : undefined;
  return {
    failed: `status ${status}`,
    refused: !later,
    ...(seconds !== undefined && { retryAfterSeconds: seconds }),
  };
}

/** Encryption needs a point on the curve. */
function isPoint(p256dh: string): boolean {
  try {
    return ECDH.convertKey(p256dh, 'prime256v1', 'base64url', 'base64url', 'uncompressed') === p256dh;
  } catch {
    return false;
  }
}

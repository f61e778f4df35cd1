import { createHmac, type KeyObject } from 'node:crypto';
import type { App } from '../platform/app.ts';
import { keyFor, keysFor } from '../platform/config/keys.ts';

/**
 * The id under which a device is listed and removed. It is not the visitor's id, so nobody can link the conversations of
 * one browser.
 */
export function deviceIdOf(app: Pick<App, 'config'>, conversationId: string, visitorId: string): string {
  return idUnder(keyFor(app.config, 'device id'), conversationId, visitorId);
}

/** Accepts ids made with any valid key: SECRET may have changed since the page got the id. */
export function isDeviceId(
  app: Pick<App, 'config'>,
  { conversationId, visitorId }: { conversationId: string; visitorId: string },
  id: string,
): boolean {
  return keysFor(app.config, 'device id').some((key) => idUnder(key, conversationId, visitorId) === id);
}

function idUnder(key: KeyObject, conversationId: string, visitorId: string): string {
  return createHmac('sha256', key).update(`${conversationId} ${visitorId}`).digest('base64url').slice(0, 22);
}

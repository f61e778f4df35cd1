import { createHmac, type KeyObject } from 'node:crypto';
import type { App } from '../app.ts';
import { keyFor, keysFor } from './keys.ts';

/**
 * The id under which a device is listed and removed. Not the visitor's id: the same browser may have other chats, and
 * nobody should be able to link them.
 */
export function deviceIdOf(app: Pick<App, 'config'>, conversationId: string, visitorId: string): string {
  return idUnder(keyFor(app.config, 'device id'), conversationId, visitorId);
}

/** Also by an id that a page was told before SECRET was changed, or by a gateway that was not restarted yet. */
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

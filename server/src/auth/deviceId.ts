import { createHmac } from 'node:crypto';
import type { App } from '../app.ts';
import { keyFor } from './keys.ts';

/**
 * The id under which a device is listed and removed. Not the visitor's id: the same browser may have other chats, and
 * nobody should be able to link them.
 */
export function deviceIdOf(app: Pick<App, 'config'>, conversationId: string, visitorId: string): string {
  return createHmac('sha256', keyFor(app.config, 'device id'))
    .update(`${conversationId} ${visitorId}`)
    .digest('base64url')
    .slice(0, 22);
}

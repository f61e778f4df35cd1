import * as v from 'valibot';
import { PushEndpoint, PushSubscription } from '../model/push.ts';
import { call } from './call.ts';

/** Notifications of one browser, for visitors and staff. Separate, because only the notification panel needs them. */
export const pushCalls = {
  /** The key to subscribe with; null if the installation has none and push is off. */
  readPushKey: call('GET', '/push/key', 'none', { answer: { publicKey: v.nullable(v.string()) } }),
  /** Also confirms that the subscription is still in use. Replaces the previous one of this browser. */
  savePush: call('PUT', '/push/subscription', 'any', {
    body: { ...PushSubscription.entries, instead: v.optional(PushEndpoint) },
  }),
  dropPush: call('POST', '/push/unsubscribe', 'any', { body: { endpoint: PushEndpoint } }),
  /** Sends a notification to this browser now. */
  testPush: call('POST', '/push/test', 'any', { body: { endpoint: PushEndpoint } }),
} as const;

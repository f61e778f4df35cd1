import * as v from 'valibot';
import { PushEndpoint, PushSubscription } from '../model/push.ts';
import { call, none, success } from './call.ts';

const endpoint = v.strictObject({ endpoint: PushEndpoint });

/** Notifications of one browser, for visitors and staff. Separate, because only the notification panel needs them. */
export const pushCalls = {
  /** The key to subscribe with; null if the installation has none and push is off. */
  readPushKey: call({
    method: 'GET',
    path: '/push/key',
    auth: 'none',
    query: none,
    body: none,
    answer: v.object({ success, publicKey: v.nullable(v.string()) }),
  }),
  /** Also confirms that the subscription is still in use. Replaces the previous one of this browser. */
  savePush: call({
    method: 'PUT',
    path: '/push/subscription',
    auth: 'any',
    query: none,
    body: v.strictObject({
      ...PushSubscription.entries,
      instead: v.optional(PushEndpoint),
    }),
    answer: v.object({ success }),
  }),
  dropPush: call({
    method: 'POST',
    path: '/push/unsubscribe',
    auth: 'any',
    query: none,
    body: endpoint,
    answer: v.object({ success }),
  }),
  /** Sends a notification to this browser now. */
  testPush: call({
    method: 'POST',
    path: '/push/test',
    auth: 'any',
    query: none,
    body: endpoint,
    answer: v.object({ success }),
  }),
} as const;

import * as v from 'valibot';
import { PushEndpoint, PushSubscription } from '../model/push.ts';
import { call } from './call.ts';

/** Notifications of one browser, for visitors and staff. Separate, because only the notification panel needs them. */
export const pushCalls = {
  readPushKey: call({
    route: 'GET /push/key',
    summary: 'Read the key that a browser subscribes with; null if notifications are off.',
    auth: 'none',
    answer: { publicKey: v.nullable(v.string()) },
  }),
  /** Also confirms that the subscription is still in use. Replaces the previous one of this browser. */
  savePush: call({
    route: 'PUT /push/subscription',
    summary: 'Store this browser’s push subscription, or confirm that it is still in use.',
    auth: 'any',
    refusals: ['push_refused'],
    body: { ...PushSubscription.entries, instead: v.optional(PushEndpoint) },
  }),
  dropPush: call({
    route: 'POST /push/unsubscribe',
    summary: 'Remove a push subscription. The answer is the same whether or not it existed.',
    auth: 'any',
    body: { endpoint: PushEndpoint },
  }),
  testPush: call({
    route: 'POST /push/test',
    summary: 'Send a test notification to this browser.',
    auth: 'any',
    rate: ['chatWrites', 'pushTests'],
    refusals: ['push_refused'],
    body: { endpoint: PushEndpoint },
  }),
} as const;

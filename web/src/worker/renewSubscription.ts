import { pushCalls } from '@settee/protocol/calls/pushCalls';
import { anonymousTokens } from '../net/anonymousTokens.ts';
import { createApi } from '../net/api.ts';
import { staffTokens } from '../net/staffTokens.ts';
import type { TokenHolder } from '../net/tokens.ts';
import { findSignedInStaff, findSubscribedAs, isStillSignedIn } from '../push/workerStorage.ts';
import { type ChangeEvent, scope } from './scope.ts';

/**
 * The push service has ended or replaced a subscription. Subscribes the same person again, without an open page. If
 * this fails, the page does it when it opens.
 */
export async function renewSubscription({ oldSubscription, newSubscription }: ChangeEvent): Promise<void> {
  const tokens = await tokensOfSubscriber();
  if (!tokens) return;
  const api = createApi(pushCalls, { tokens });
  const given = newSubscription ?? (await subscribe(oldSubscription, api));
  if (!given) return;
  const { p256dh = '', auth = '' } = given.toJSON().keys ?? {};
  const instead = oldSubscription?.endpoint;
  const saved = await api('savePush', {
    body: { endpoint: given.endpoint, p256dh, auth, ...(instead !== undefined && { instead }) },
  });
  if (!saved.ok) throw new Error(`the new subscription was not saved: ${saved.text}`);
}

async function tokensOfSubscriber(): Promise<TokenHolder | undefined> {
  const subscriber = await findSubscribedAs();
  if (!subscriber || !isStillSignedIn(subscriber, await findSignedInStaff())) return undefined;
  return subscriber.side === 'visitor' ? anonymousTokens() : staffTokens(subscriber.id);
}

/** With the key of the old subscription. Some browsers no longer report it. */
async function subscribe(
  old: PushSubscription | null | undefined,
  api: ReturnType<typeof createApi<typeof pushCalls>>,
): Promise<PushSubscription | undefined> {
  let key: BufferSource | string | null | undefined = old?.options.applicationServerKey;
  if (!key) {
    const read = await api('readPushKey', {});
    key = read.ok ? read.answer.publicKey : undefined;
  }
  if (!key) return undefined;
  return scope.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

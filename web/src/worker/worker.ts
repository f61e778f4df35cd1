import { conversationCalls } from '@settee/protocol/calls/conversationCalls';
import { mediaCalls } from '@settee/protocol/calls/mediaCalls';
import { pushCalls } from '@settee/protocol/calls/pushCalls';
import { flushOutbox } from '../chat/outbox/flushOutbox.ts';
import { indexedDbOutbox } from '../chat/outbox/indexedDbOutbox.ts';
import { OUTBOX_SYNC } from '../chat/outbox/outbox.ts';
import { anonymousTokens } from '../net/anonymousTokens.ts';
import { createApi, type TokenHolder } from '../net/api.ts';
import { staffTokens } from '../net/staffTokens.ts';
import { findSignedInStaff, findSubscribedAs, isStillSignedIn } from '../push/workerStorage.ts';
import { onNoticeClick } from './noticeClick.ts';
import { CHAT_PATH, type ChangeEvent, scope } from './scope.ts';
import {
  assetFromShell,
  cacheShell,
  chatPage,
  deleteOldShells,
  isShellAsset,
  pageFromNetwork,
} from './shell.ts';
import { showPushNotice } from './showPushNotice.ts';
import { isChat, openWindows } from './windows.ts';

scope.addEventListener('install', (event) => event.waitUntil(cacheShell()));

scope.addEventListener('activate', (event) =>
  event.waitUntil(
    Promise.all([
      deleteOldShells(),
      // Starts navigation requests while the worker starts.
      scope.registration.navigationPreload?.enable(),
      // The page that registered the worker may still load files.
      scope.clients.claim(),
    ]),
  ),
);

scope.addEventListener('sync', (event) => {
  if (event.tag === OUTBOX_SYNC) event.waitUntil(sendUnsent());
});

scope.addEventListener('push', (event) => event.waitUntil(showPushNotice(event.data)));

scope.addEventListener('notificationclick', (event) => event.waitUntil(onNoticeClick(event)));

scope.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renewSubscription(event)));

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  const url = new URL(request.url);
  if (request.mode === 'navigate') {
    // Always respond, because the browser has already sent the preload request.
    event.respondWith(url.pathname.startsWith(CHAT_PATH) ? chatPage(event) : pageFromNetwork(event));
  } else if (isShellAsset(url)) event.respondWith(assetFromShell(request));
});

/** An open page sends over its socket, so usually nothing is left. */
const HEAD_START_MS = 3_000;

/** Sends the outbox over HTTP. Rejects if it must be retried later. */
async function sendUnsent(): Promise<void> {
  if ((await openWindows()).some(isChat)) await new Promise((resolve) => setTimeout(resolve, HEAD_START_MS));
  // Sign in only if there is something to send. The cookie may have changed.
  const api = createApi({ ...conversationCalls, ...mediaCalls }, { tokens: anonymousTokens() });
  await flushOutbox({ outbox: indexedDbOutbox('visitor'), api });
}

/**
 * The push service has ended or replaced a subscription. Subscribes the same person again, without an open page. If
 * this fails, the page does it when it opens.
 */
async function renewSubscription({ oldSubscription, newSubscription }: ChangeEvent): Promise<void> {
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

import { conversationCalls } from '@settee/protocol/calls/conversationCalls';
import { mediaCalls } from '@settee/protocol/calls/mediaCalls';
import { flushOutbox } from '../chat/outbox/flushOutbox.ts';
import { indexedDbOutbox } from '../chat/outbox/indexedDbOutbox.ts';
import { OUTBOX_SYNC } from '../chat/outbox/outbox.ts';
import { anonymousTokens } from '../net/anonymousTokens.ts';
import { createApi } from '../net/api.ts';
import { onNoticeClick } from './noticeClick.ts';
import { renewSubscription } from './renewSubscription.ts';
import { CHAT_PATH, scope } from './scope.ts';
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

import { OUTBOX_SYNC } from '../chat/outbox/outbox.ts';
import { onNoticeClick } from './clicked.ts';
import { showPushed } from './pushed.ts';
import { CHAT_PATH, scope } from './scope.ts';
import { sendUnsent } from './sendUnsent.ts';
import {
  assetFromShell,
  chatPage,
  forgetOldShells,
  isShellAsset,
  keepShell,
  pageFromNetwork,
} from './shell.ts';
import { subscribeAgain } from './subscribeAgain.ts';

scope.addEventListener('install', (event) => event.waitUntil(keepShell()));

scope.addEventListener('activate', (event) =>
  event.waitUntil(
    Promise.all([
      forgetOldShells(),
      // The network need not wait for the worker to start.
      scope.registration.navigationPreload?.enable(),
      // The page that brought the worker may still need a file that it has not loaded.
      scope.clients.claim(),
    ]),
  ),
);

scope.addEventListener('sync', (event) => {
  if (event.tag === OUTBOX_SYNC) event.waitUntil(sendUnsent());
});

scope.addEventListener('push', (event) => event.waitUntil(showPushed(event.data)));

scope.addEventListener('notificationclick', (event) => event.waitUntil(onNoticeClick(event)));

scope.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(subscribeAgain(event)));

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  const url = new URL(request.url);
  if (request.mode === 'navigate') {
    // Answered also where there is nothing to add: the browser has asked already, and would ask a second time.
    event.respondWith(url.pathname.startsWith(CHAT_PATH) ? chatPage(event) : pageFromNetwork(event));
  } else if (isShellAsset(url)) event.respondWith(assetFromShell(request));
});

import { deviceCalls } from '@settee/protocol/calls/deviceCalls';
import { rightsCalls } from '@settee/protocol/calls/rightsCalls';
import { visitorCalls } from '@settee/protocol/calls/visitorCalls';
import { VisitorDown } from '@settee/protocol/frames/down';
import { type LiveConversation, startLiveConversation } from '../chat/model/liveConversation.ts';
import type { Outbox } from '../chat/outbox/outbox.ts';
import { OUTBOX_SYNC } from '../chat/outbox/outbox.ts';
import { browserOutbox } from '../chat/outbox/safeOutbox.ts';
import { anonymousTokens } from '../net/anonymousTokens.ts';
import { type Api, createApi } from '../net/api.ts';
import { startBrowserLive } from '../net/browserLive.ts';
import { systemClock } from '../net/clock.ts';
import { earlyFetch } from '../net/early.ts';
import type { Live } from '../net/live.ts';
import { randomId } from '../net/randomId.ts';
import { withRetries } from '../net/retry.ts';
import type { TokenHolder } from '../net/tokens.ts';
import { workerFailed, workers } from '../push/serviceWorker.ts';

export type VisitorApi = Api<keyof typeof visitorCalls | keyof typeof rightsCalls | keyof typeof deviceCalls>;

/** All through which the visitor's page reaches the server. */
export type Connection = {
  /** Asks again while no answer comes. */
  api: VisitorApi;
  /** Asks once. */
  once: VisitorApi;
  tokens: TokenHolder;
  /** Opens the socket. A page has one at a time. */
  line(): Live;
  /** Opens it for a conversation. */
  open(conversationId: string): { live: Live; conversation: LiveConversation };
};

export function connect(): Connection {
  const tokens = anonymousTokens();
  const line = () => startBrowserLive(VisitorDown, (fresh) => (fresh ? tokens.renew() : tokens.get()));
  const outbox = sharedOutbox(browserOutbox('visitor'));
  const once = createApi({ ...visitorCalls, ...rightsCalls, ...deviceCalls }, { fetch: earlyFetch, tokens });
  return {
    // Each of these may arrive twice; a deletion that did would be refused.
    api: withRetries(once, (name) => name in visitorCalls),
    once,
    tokens,
    line,
    open(id) {
      const live = line();
      const conversation = startLiveConversation({
        id,
        me: 'visitor',
        live,
        outbox,
        clock: systemClock,
        random: Math.random,
        mintId: randomId,
      });
      return { live, conversation };
    },
  };
}

/** What waits here is also the service worker's to send, should no page be open when the network is back. */
function sharedOutbox(kept: Outbox): Outbox {
  return {
    ...kept,
    put: (entry) => kept.put(entry).then(askForSync),
    again: (id) => kept.again(id).then(askForSync),
    async list(conversationId) {
      const unsent = await kept.list(conversationId);
      // From an earlier visit: the browser may have given up asking for those.
      if (unsent.length > 0) askForSync();
      return unsent;
    },
  };
}

// Not in every browser, and so not in TypeScript's `dom`.
type WithSync = { sync?: { register(tag: string): Promise<void> } };

/** Asks the browser to wake the worker once there is a network, also when this page is gone by then. */
function askForSync(): void {
  workers()
    ?.ready.then((registration) => (registration as WithSync).sync?.register(OUTBOX_SYNC))
    .catch(workerFailed);
}

import { conversationCalls } from '@settee/protocol/calls/conversationCalls';
import { deviceCalls } from '@settee/protocol/calls/deviceCalls';
import { rightsCalls } from '@settee/protocol/calls/rightsCalls';
import { visitorCalls } from '@settee/protocol/calls/visitorCalls';
import { VisitorDown } from '@settee/protocol/frames/down';
import { type LiveConversation, startLiveConversation } from '../chat/model/liveConversation.ts';
import { OUTBOX_SYNC } from '../chat/outbox/outbox.ts';
import { browserUnsent, type UnsentStore } from '../chat/outbox/unsentStore.ts';
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

const repeatable = { ...visitorCalls, ...conversationCalls };
const calls = { ...repeatable, ...rightsCalls, ...deviceCalls };
export type VisitorApi = Api<keyof typeof calls>;

/** All server access of the visitor's page. */
export type Connection = {
  /** Retries while no answer arrives. */
  api: VisitorApi;
  /** Does not retry. */
  once: VisitorApi;
  tokens: TokenHolder;
  unsent: UnsentStore;
  /** Opens the socket. A page has at most one. */
  line(): Live;
  /** Opens the socket and follows a conversation. */
  open(conversationId: string): { live: Live; conversation: LiveConversation };
};

export function connect(): Connection {
  const tokens = anonymousTokens();
  const line = () => startBrowserLive(VisitorDown, (fresh) => (fresh ? tokens.renew() : tokens.get()));
  const unsent = sharedOutbox(browserUnsent('visitor'));
  const once = createApi(calls, { fetch: earlyFetch, tokens });
  return {
    // These calls are safe to repeat. A repeated deletion would be refused.
    api: withRetries(once, (name) => name in repeatable),
    once,
    tokens,
    unsent,
    line,
    open(id) {
      const live = line();
      const conversation = startLiveConversation({
        id,
        me: 'visitor',
        live,
        outbox: unsent,
        clock: systemClock,
        random: Math.random,
        createId: randomId,
      });
      return { live, conversation };
    },
  };
}

/** The service worker also sends unsent messages if no page is open when the network returns. */
function sharedOutbox(kept: UnsentStore): UnsentStore {
  return {
    ...kept,
    put: (record) => kept.put(record).then(askForSync),
    // Also to take a refusal back.
    mark: (record) => kept.mark(record).then(askForSync),
    async list(conversationId) {
      const unsent = await kept.list(conversationId);
      // Messages from an earlier visit: the browser may have dropped their sync request.
      if (unsent.length > 0) askForSync();
      return unsent;
    },
  };
}

// Not supported by every browser, so missing in TypeScript's `dom`.
type WithSync = { sync?: { register(tag: string): Promise<void> } };

/** Asks the browser to wake the service worker when the network returns, even if this page is closed. */
function askForSync(): void {
  workers()
    ?.ready.then((registration) => (registration as WithSync).sync?.register(OUTBOX_SYNC))
    .catch(workerFailed);
}

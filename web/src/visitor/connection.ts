import { conversationCalls } from '@settee/protocol/calls/conversationCalls';
import { deviceCalls } from '@settee/protocol/calls/deviceCalls';
import { rightsCalls } from '@settee/protocol/calls/rightsCalls';
import { visitorCalls } from '@settee/protocol/calls/visitorCalls';
import { VisitorDown } from '@settee/protocol/frames/down';
import type { Brand } from '@settee/protocol/model/brand';
import { type LiveConversation, startLiveConversation } from '../chat/model/liveConversation.ts';
import { OUTBOX_SYNC } from '../chat/outbox/outbox.ts';
import { browserUnsent, type UnsentStore } from '../chat/outbox/unsentStore.ts';
import { anonymousTokens } from '../net/anonymousTokens.ts';
import { type Api, createApi, type TokenHolder } from '../net/api.ts';
import { startBrowserLive } from '../net/browserLive.ts';
import { earlyFetch } from '../net/early.ts';
import type { Live } from '../net/live.ts';
import { withRetries } from '../net/retry.ts';
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
  /** Of the page's link. */
  token: string | undefined;
  /**
   * The profile on the screen. The socket names the link only if this is not the first profile, or is not known: a
   * gateway of release 0.2.0, which has only one, does not accept it.
   */
  shown?: Brand;
  unsent: UnsentStore;
  /** Opens the socket. A page has at most one. */
  line(): Live;
  /** Opens the socket and follows a conversation. */
  open(conversationId: string): { live: Live; conversation: LiveConversation };
};

/** `token`: of the link that the page shows, or the mark of the profile of `/chat`. */
export function connect(token?: string): Connection {
  const tokens = anonymousTokens();
  const needed = () => {
    const { shown } = connection;
    return shown?.mark || shown?.updatedAt === 0 ? token : undefined;
  };
  const line = () =>
    startBrowserLive(VisitorDown, (fresh) => (fresh ? tokens.renew() : tokens.get()), { invite: needed });
  const unsent = sharedOutbox(browserUnsent('visitor'));
  const once = createApi(calls, { fetch: earlyFetch, tokens });
  const connection: Connection = {
    token,
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
      });
      return { live, conversation };
    },
  };
  return connection;
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

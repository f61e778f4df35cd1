import { visitorCalls } from '@settee/protocol/visitorCalls';
import { type LiveConversation, startLiveConversation } from '../chat/liveConversation.ts';
import { indexedDbOutbox } from '../chat/outbox.ts';
import { type Api, createApi } from '../net/api.ts';
import { startBrowserLive } from '../net/browserLive.ts';
import { systemClock } from '../net/clock.ts';
import type { Live } from '../net/live.ts';
import { type TokenHolder, tokenHolder } from '../net/tokens.ts';

export type VisitorApi = Api<keyof typeof visitorCalls>;

/** All through which the visitor's page reaches the server. */
export type Connection = {
  api: VisitorApi;
  tokens: TokenHolder;
  /** Opens the socket. A page has one at a time. */
  line(): Live;
  /** Opens it for a conversation. */
  open(conversationId: string): { live: Live; conversation: LiveConversation };
};

export function connect(): Connection {
  const open = createApi(visitorCalls, {});
  const tokens = tokenHolder(systemClock, async () => {
    const user = await open('signInAnonymously', {});
    if (!user.ok) throw new Error(user.text);
    return user.answer;
  });
  const line = () => startBrowserLive((fresh) => (fresh ? tokens.renew() : tokens.get()));
  const outbox = indexedDbOutbox(systemClock.now);
  return {
    api: createApi(visitorCalls, { tokens }),
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
        mintId: () => crypto.randomUUID(),
      });
      return { live, conversation };
    },
  };
}

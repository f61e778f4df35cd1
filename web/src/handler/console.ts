import { type Brand, defaultBrand } from '@settee/protocol/brand';
import type { QueueRow } from '@settee/protocol/conversation';
import type { CloseReason } from '@settee/protocol/down';
import { StaffDown } from '@settee/protocol/staffDown';
import { indexedDbOutbox } from '../chat/indexedDbOutbox.ts';
import { type LiveConversation, startLiveConversation } from '../chat/liveConversation.ts';
import { startBrowserLive } from '../net/browserLive.ts';
import { systemClock } from '../net/clock.ts';
import type { LiveStatus } from '../net/live.ts';
import { changeQueue, sortQueue } from './queue/queue.ts';
import type { SessionStore } from './session.ts';

/** What the socket tells the whole console. */
export type ConsoleState = {
  status: LiveStatus;
  ended: CloseReason | undefined;
  brand: Brand;
  /** Null until the first answer. */
  queue: readonly QueueRow[] | null;
  /** This person is signed in, but not there for visitors. */
  away: boolean;
};

export type Console = {
  get(): ConsoleState;
  subscribe(listener: () => void): () => void;
  /** Follows a conversation until it is stopped. */
  openConversation(id: string): LiveConversation;
  /** A conversation left the queue by this page's own doing; no need to wait for the news. */
  leftQueue(conversationId: string): void;
  /** The server has confirmed it; the person's other windows hear it from there. */
  setAway(away: boolean): void;
  stop(): void;
};

/** The live half of the console: one socket, the queue, and the conversations that are open on the page. */
export function startConsole(session: SessionStore): Console {
  const { tokens } = session;
  const live = startBrowserLive(StaffDown, (fresh) => (fresh ? tokens.renew() : tokens.get()));
  const outbox = indexedDbOutbox('owner');
  const listeners = new Set<() => void>();
  let state: ConsoleState = {
    status: live.status(),
    ended: undefined,
    brand: defaultBrand,
    queue: null,
    away: false,
  };

  function set(change: Partial<ConsoleState>): void {
    state = { ...state, ...change };
    for (const listener of [...listeners]) listener();
  }

  live.onStatus(() => {
    if (live.status() === 'open') live.send({ type: 'watchQueue' });
    if (live.endReason() === 'signed_out') return session.ended();
    set({ status: live.status(), ended: live.endReason() });
  });

  live.onFrame((frame) => {
    if (frame.type === 'welcome' || frame.type === 'brand') set({ brand: frame.brand });
    // A visitor's `welcome` says nothing of it, but none comes here.
    if (frame.type === 'welcome' && 'away' in frame) set({ away: frame.away });
    if (frame.type === 'availability') set({ away: frame.away });
    if (frame.type === 'queue') set({ queue: sortQueue(frame.rows) });
    if (frame.type === 'queueChange' && state.queue) set({ queue: changeQueue(state.queue, frame) });
  });

  return {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    openConversation: (id) =>
      startLiveConversation({
        id,
        me: 'owner',
        live,
        outbox,
        clock: systemClock,
        random: Math.random,
        mintId: () => crypto.randomUUID(),
      }),
    leftQueue(conversationId) {
      if (state.queue) set({ queue: changeQueue(state.queue, { rows: [], gone: [conversationId] }) });
    },
    setAway: (away) => set({ away }),
    stop: () => live.stop(),
  };
}

import type { CloseReason } from '@settee/protocol/frames/down';
import { StaffDown } from '@settee/protocol/frames/staffDown';
import { type Brand, defaultBrand } from '@settee/protocol/model/brand';
import { defaultSettings, type StaffSettings } from '@settee/protocol/model/staffSettings';
import type { QueryClient } from '@tanstack/react-query';
import { createStore } from '../browser/createStore.ts';
import type { ConversationFrame, Frame } from '../chat/model/conversationState.ts';
import { startBrowserLive } from '../net/browserLive.ts';
import { systemClock } from '../net/clock.ts';
import type { Live, LiveStatus } from '../net/live.ts';
import type { SessionStore } from '../staff/session.ts';
import { followTopics, IN_DASHBOARD, invalidateAfterInFlight } from './refetch.ts';

export type LiveAdminState = {
  status: LiveStatus;
  ended: CloseReason | undefined;
  brand: Brand;
  /** Waiting times that count as long. */
  settings: StaffSettings;
};

export type LiveAdmin = {
  get(): LiveAdminState;
  subscribe(listener: () => void): () => void;
  /** The connection, for following a conversation. */
  line: Live;
  stop(): void;
};

type ConsoleOnly =
  | 'queue'
  | 'queueChange'
  | 'queuePage'
  | 'visitors'
  | 'colleague'
  | 'availability'
  | 'profiles';

/** One socket that reports which topics changed. Query keys begin with their topic. */
export function startLiveAdmin(session: SessionStore, queries: QueryClient): LiveAdmin {
  const { tokens } = session;
  const line = startBrowserLive(StaffDown, (fresh) => (fresh ? tokens.renew() : tokens.get()), {
    manages: true,
  });
  const store = createStore<LiveAdminState>({
    status: line.status(),
    ended: undefined,
    brand: defaultBrand,
    settings: defaultSettings,
  });

  const topics = followTopics((topic) => invalidateAfterInFlight(queries, [topic]), systemClock);

  line.onStatus(() => {
    if (line.endReason() === 'signed_out') return session.ended();
    if (line.status() === 'open') {
      line.send({ type: 'watchManagement' });
      // Changes while disconnected were not reported.
      void invalidateAfterInFlight(queries, []);
    }
    store.update({ status: line.status(), ended: line.endReason() });
  });

  line.onFrame((frame) => {
    switch (frame.type) {
      case 'welcome':
        return store.update({ brand: frame.brand, ...('settings' in frame && { settings: frame.settings }) });
      case 'brand':
        return store.update({ brand: frame.brand });
      case 'settings':
        return store.update({ settings: frame.settings });
      case 'managementChanged':
        for (const topic of frame.topics) topics.follow(topic);
        if (frame.topics.some((topic) => IN_DASHBOARD.has(topic))) topics.follow('dashboard');
        return;
      default:
        // For conversations, visitors, the console and the socket.
        frame satisfies ConversationFrame | Frame<'presence' | 'note' | 'pong' | ConsoleOnly>;
    }
  });

  return {
    get: store.get,
    subscribe: store.subscribe,
    line,
    stop() {
      topics.stop();
      line.stop();
    },
  };
}

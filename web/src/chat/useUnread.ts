import { useEffect, useRef, useState } from 'react';
import type { ConversationState } from './conversationState.ts';
import { coversUnread, type Unread, unreadAtOpening } from './unread.ts';

/** Somebody away for so long that more pages than this are unread starts at the oldest that came. */
const MOST_PAGES = 10;

/**
 * What was new when the reader came: fixed until they leave. Coming back to a hidden tab is coming anew. `ready`
 * once all of it is loaded.
 */
export function useUnread(
  state: ConversationState,
  loadOlder: () => void,
): { unread: Unread | null; ready: boolean } {
  const [unread, setUnread] = useState<Unread | null>(null);
  const asked = useRef({ pages: 0, before: 0 });
  if (unread === null && state.loaded) setUnread(unreadAtOpening(state));

  useEffect(() => {
    const back = () => {
      const until = state.log.messages.at(-1)?.seq ?? 0;
      if (document.visibilityState !== 'visible' || !state.loaded || state.looked >= until) return;
      setUnread((before) => ({ after: Math.max(before?.after ?? 0, state.looked), until }));
    };
    document.addEventListener('visibilitychange', back);
    return () => document.removeEventListener('visibilitychange', back);
  }, [state]);

  const first = state.log.messages[0]?.seq ?? 0;
  const ready =
    unread !== null && (coversUnread(state, unread) || asked.current.pages >= MOST_PAGES || first <= 1);

  useEffect(() => {
    if (ready || unread === null || asked.current.before === first) return;
    asked.current = { pages: asked.current.pages + 1, before: first };
    loadOlder();
  }, [ready, unread, first, loadOlder]);

  return { unread, ready };
}

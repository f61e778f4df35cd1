import { useCallback, useEffect, useRef, useState } from 'react';
import type { ConversationState } from '../model/conversationState.ts';
import type { LoadOlder } from '../model/loadOlder.ts';
import { coversUnread, type Unread, unreadAtOpening } from '../model/unread.ts';

/** Somebody away for so long that more pages than this are unread starts at the oldest that came. */
const MOST_PAGES = 10;

/**
 * What was new when the reader came: fixed until they leave. Coming back to a hidden tab is coming anew. `ready`
 * once all of it is loaded, or cannot be.
 */
export function useUnread(
  state: ConversationState,
  loadOlder: LoadOlder,
  /** Set where somebody else brings the place to open at. */
  opening: boolean | undefined,
): {
  unread: Unread | null;
  ready: boolean;
  /** To be called before anything is marked as looked at. */
  comeBack: () => void;
} {
  const [unread, setUnread] = useState<Unread | null>(null);
  const [gaveUp, setGaveUp] = useState(false);
  const pages = useRef(0);
  if (unread === null && state.loaded) setUnread(unreadAtOpening(state));

  const comeBack = useCallback(() => {
    const until = state.log.messages.at(-1)?.seq ?? 0;
    if (!state.loaded || state.looked >= until) return;
    setUnread((before) => ({ after: Math.max(before?.after ?? 0, state.looked), until }));
  }, [state]);

  const ready = unread !== null && !(opening ?? !(gaveUp || coversUnread(state, unread)));
  const missing = unread !== null && !ready && opening === undefined;
  const first = state.log.messages[0]?.seq ?? 0;

  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that came may not have been the last
  useEffect(() => {
    if (!missing) return;
    pages.current += 1;
    if (pages.current > MOST_PAGES) setGaveUp(true);
    else void loadOlder().then((came) => came || setGaveUp(true));
  }, [missing, first, loadOlder]);

  return { unread, ready, comeBack };
}

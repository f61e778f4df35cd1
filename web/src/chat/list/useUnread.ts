import { useCallback, useEffect, useRef, useState } from 'react';
import type { ConversationState } from '../model/conversationState.ts';
import type { LoadOlder } from '../model/loadOlder.ts';
import { coversUnread, type Unread, unreadAtOpening } from '../model/unread.ts';

/** Stop loading after this many pages of unread messages. */
const MOST_PAGES = 10;

/**
 * What was unread when the reader arrived. Returning to a hidden tab counts as arriving. `ready` once it is loaded or
 * cannot be.
 */
export function useUnread(
  state: ConversationState,
  loadOlder: LoadOlder,
  /** Set if the caller loads the place to open at. */
  opening: boolean | undefined,
): {
  unread: Unread | null;
  ready: boolean;
  /** Call before marking messages as read. */
  updateUnread: () => void;
} {
  const [unread, setUnread] = useState<Unread | null>(null);
  const [gaveUp, setGaveUp] = useState(false);
  const pages = useRef(0);
  if (unread === null && state.loaded) setUnread(unreadAtOpening(state));

  const updateUnread = useCallback(() => {
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

  return { unread, ready, updateUnread };
}

import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { ConversationState } from '../../chat/model/conversationState.ts';
import type { LoadOlder } from '../../chat/model/loadOlder.ts';
import { messageInAddress, scrollToMessage } from '../../staff/messageInAddress.ts';

/** So many pages are read back at most; a message older than that is found in the download. */
const PAGES_MAX = 60;

/**
 * Brings the message that the address names (`?message=`) into sight: reads back as far as it is, then scrolls to it.
 * `opening` is true until it is there.
 */
export function useMessageInAddress(
  { loaded, log }: ConversationState,
  loadOlder: LoadOlder,
): { opening?: boolean; goTo?: (box: HTMLElement) => boolean } {
  const { search, key } = useLocation();
  const seq = messageInAddress(search);
  const first = log.messages[0]?.seq ?? 0;
  const [gaveUp, setGaveUp] = useState(false);
  const missing = seq !== undefined && loaded && first > seq && !gaveUp;

  // One page after the other: while one is under way, asking again would only join it.
  useEffect(() => {
    if (!missing) return;
    let wanted = true;
    async function readBack(): Promise<void> {
      for (let page = 0; page < PAGES_MAX && wanted; page += 1) if (!(await loadOlder())) break;
      if (wanted) setGaveUp(true);
    }
    void readBack();
    return () => {
      wanted = false;
    };
  }, [missing, loadOlder]);

  const went = useRef('');
  const wish = `${key} ${seq}`;
  const goTo = useCallback(
    (box: HTMLElement) => {
      if (seq === undefined || went.current === wish) return false;
      const message = scrollToMessage(box, seq);
      if (!message) return false;
      went.current = wish;
      message.focus({ preventScroll: true });
      return true;
    },
    [seq, wish],
  );
  if (seq === undefined) return {};
  return { opening: !loaded || missing, goTo };
}

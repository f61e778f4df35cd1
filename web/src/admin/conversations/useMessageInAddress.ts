import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { ConversationState } from '../../chat/model/conversationState.ts';
import type { LoadOlder } from '../../chat/model/loadOlder.ts';
import { messageInAddress, scrollToMessage } from '../../staff/messageInAddress.ts';

/** Maximum pages to read back. Older messages are in the download. */
const PAGES_MAX = 60;

/**
 * Shows the message in the address (`?message=`): loads older pages until it is there, then scrolls to it.
 * `opening` is true until then.
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

  // One page at a time: a parallel call would only join the one in flight.
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

  const lastJump = useRef('');
  const jump = `${key} ${seq}`;
  const goTo = useCallback(
    (box: HTMLElement) => {
      if (seq === undefined || lastJump.current === jump) return false;
      const message = scrollToMessage(box, seq);
      if (!message) return false;
      lastJump.current = jump;
      message.focus({ preventScroll: true });
      return true;
    },
    [seq, jump],
  );
  if (seq === undefined) return {};
  return { opening: !loaded || missing, goTo };
}

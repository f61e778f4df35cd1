import { useEffect } from 'react';
import { closeNotices, isNoticeOf } from './shownNotices.ts';
import type { Side } from './subscribedAs.ts';

/** Closes the notifications of the chat that the user is looking at. */
export function useCloseSeenNotices(side: Side, conversationId: string | undefined): void {
  useEffect(() => {
    if (conversationId === undefined) return;
    const seen = () => {
      if (document.hidden || !document.hasFocus()) return;
      closeNotices(isNoticeOf(side, conversationId)).catch((error: unknown) =>
        console.error('notifications:', error),
      );
    };
    seen();
    const shown = new AbortController();
    document.addEventListener('visibilitychange', seen, { signal: shown.signal });
    window.addEventListener('focus', seen, { signal: shown.signal });
    return () => shown.abort();
  }, [side, conversationId]);
}

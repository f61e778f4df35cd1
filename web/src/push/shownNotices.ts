import { useEffect } from 'react';
import { workers } from './serviceWorker.ts';
import type { Side } from './workerStorage.ts';

/** Written by the worker. A notice of an older build may lack any field. */
export type NoticeData = { to?: Side; conversationId?: string; staffId?: string; holdsWords?: boolean };

/** Closes notifications that are outdated, or that the next user must not see. */
export async function closeNotices(isOutdated: (about: NoticeData) => boolean): Promise<void> {
  const registration = await workers()?.getRegistration();
  for (const notice of (await registration?.getNotifications?.()) ?? []) {
    if (isOutdated((notice.data ?? {}) as NoticeData)) notice.close();
  }
}

/** A notification that contains the text of a reply stays open, because the text is stored nowhere else. */
export function isNoticeOf(side: Side, chat: string): (about: NoticeData) => boolean {
  return ({ to, conversationId, holdsWords }) => to === side && conversationId === chat && !holdsWords;
}

/** Closes the notifications of the chat that the user is looking at. */
export function useCloseSeenNotices(side: Side, conversationId: string | undefined): void {
  useEffect(() => {
    if (conversationId === undefined) return;
    const closeSeen = () => {
      if (document.hidden || !document.hasFocus()) return;
      closeNotices(isNoticeOf(side, conversationId)).catch((error: unknown) =>
        console.error('notifications:', error),
      );
    };
    closeSeen();
    const listeners = new AbortController();
    document.addEventListener('visibilitychange', closeSeen, { signal: listeners.signal });
    window.addEventListener('focus', closeSeen, { signal: listeners.signal });
    return () => listeners.abort();
  }, [side, conversationId]);
}

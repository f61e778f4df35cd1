import { workers } from './serviceWorker.ts';
import type { Side } from './subscribedAs.ts';

/** Written by the worker. A notice of an older build may lack any field. */
export type NoticeData = { to?: Side; conversationId?: string; staffId?: string; holdsWords?: boolean };

/** Closes notifications that are outdated, or that the next user must not see. */
export async function closeNotices(pointless: (about: NoticeData) => boolean): Promise<void> {
  const registration = await workers()?.getRegistration();
  for (const notice of (await registration?.getNotifications?.()) ?? []) {
    if (pointless((notice.data ?? {}) as NoticeData)) notice.close();
  }
}

/** A notification that contains the text of a reply stays open, because the text is stored nowhere else. */
export function isNoticeOf(side: Side, chat: string): (about: NoticeData) => boolean {
  return ({ to, conversationId, holdsWords }) => to === side && conversationId === chat && !holdsWords;
}

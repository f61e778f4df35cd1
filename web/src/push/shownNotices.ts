import { workers } from './serviceWorker.ts';
import type { Side } from './subscribedAs.ts';

/** As the worker writes it; one of an older build may lack anything. */
export type NoticeData = { to?: Side; conversationId?: string; staffId?: string; holdsWords?: boolean };

/** Takes the notifications away that have become pointless, or that the next person must not see. */
export async function closeNotices(pointless: (about: NoticeData) => boolean): Promise<void> {
  const registration = await workers()?.getRegistration();
  for (const notice of (await registration?.getNotifications?.()) ?? []) {
    if (pointless((notice.data ?? {}) as NoticeData)) notice.close();
  }
}

/** One that holds words of a reply stays: they are nowhere else. */
export function isNoticeOf(side: Side, chat: string): (about: NoticeData) => boolean {
  return ({ to, conversationId, holdsWords }) => to === side && conversationId === chat && !holdsWords;
}

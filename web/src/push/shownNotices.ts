import { workers } from './serviceWorker.ts';
import type { Side } from './toldSide.ts';

/** As the worker writes it; one of an older build may lack anything. */
export type ShownAbout = { to?: Side; conversationId?: string; staffId?: string; holdsWords?: boolean };

/** Takes the notifications away that have become pointless, or that the next person must not see. */
export async function closeNotices(pointless: (about: ShownAbout) => boolean): Promise<void> {
  const registration = await workers()?.getRegistration();
  for (const notice of (await registration?.getNotifications?.()) ?? []) {
    if (pointless((notice.data ?? {}) as ShownAbout)) notice.close();
  }
}

/** One that holds words of a reply stays: they are nowhere else. */
export function isSeenWith(side: Side, chat: string): (about: ShownAbout) => boolean {
  return ({ to, conversationId, holdsWords }) => to === side && conversationId === chat && !holdsWords;
}

import { useMemo } from 'react';
import { useConsole } from '../context.ts';
import { countUnread } from '../queue/show.ts';
import { useAppBadge } from './useAppBadge.ts';
import { useIconBadge } from './useIconBadge.ts';
import { useSound } from './useSound.ts';
import { useTitle } from './useTitle.ts';

/** How somebody who is not looking at the queue learns of it. All of it ends with the session. */
export function useAlerts(openId: string | undefined): void {
  const { brand, queue } = useConsole();
  const unread = useMemo(() => queue && countUnread(queue), [queue]);
  useTitle(brand.displayName, unread ?? 0);
  useAppBadge(unread ?? undefined);
  useIconBadge((unread ?? 0) > 0);
  useSound(openId);
}

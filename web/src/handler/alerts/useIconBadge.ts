import { useEffect } from 'react';

/** A dot on the tab's icon while something is unread. */
export function useIconBadge(unread: boolean): void {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (!unread || !link) return;
    const { href } = link;
    link.href = '/favicon-unread.svg';
    return () => {
      link.href = href;
    };
  }, [unread]);
}

import { useEffect } from 'react';

/** The count on the icon of an installed console, where the system draws one. Untouched until it is known. */
export function useAppBadge(count: number | undefined): void {
  useEffect(() => {
    if (count === undefined || !('setAppBadge' in navigator)) return;
    const told = count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge();
    // Not installed, or not allowed: then there is no icon to write on.
    told.catch(() => {});
  }, [count]);

  useEffect(() => {
    if (!('clearAppBadge' in navigator)) return;
    return () => void navigator.clearAppBadge().catch(() => {});
  }, []);
}

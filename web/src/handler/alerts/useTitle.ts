import { useEffect, useSyncExternalStore } from 'react';
import { consoleTitle } from '../consoleTitle.ts';
import { pageName } from './pageName.ts';

/** '(3) Jonas Weber · Mara Lindqvist · Console': who the chat is with, and how many others are unread. */
export function useTitle(profileName: string, unread: number): void {
  const page = useSyncExternalStore(pageName.subscribe, pageName.get);
  useEffect(() => {
    const title = consoleTitle(profileName, page);
    document.title = unread > 0 ? `(${unread}) ${title}` : title;
    // Signed out, the count is nobody's business.
    return () => {
      document.title = title;
    };
  }, [profileName, unread, page]);
}

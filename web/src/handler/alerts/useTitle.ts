import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { useEffect, useSyncExternalStore } from 'react';
import { useSignedIn } from '../context.ts';

/** '(3) Jonas Weber · Mara Lindqvist · Console': who the chat is with, and how many others are unread. */
export function useTitle(profileName: string, unread: number): void {
  const { pageName } = useSignedIn().screen;
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

/** The profile's name, as on the visitor's page, and that this is not that page. A person or a step stands first. */
export function consoleTitle(profileName: string, first = ''): string {
  return [first, profileName, consoleTexts.consoleSuffix].filter((part) => part !== '').join(' · ');
}

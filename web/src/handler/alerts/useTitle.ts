import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { useEffect, useSyncExternalStore } from 'react';
import { useSignedIn } from '../context.ts';

/** '(3) Jonas Weber · Mara Lindqvist · Console'. */
export function useTitle(profileName: string, unread: number): void {
  const { pageName } = useSignedIn().screen;
  const page = useSyncExternalStore(pageName.subscribe, pageName.get);
  useEffect(() => {
    const title = consoleTitle(profileName, page);
    document.title = unread > 0 ? `(${unread}) ${title}` : title;
    // Hide the count after sign-out.
    return () => {
      document.title = title;
    };
  }, [profileName, unread, page]);
}

/** 'Jonas Weber · Mara Lindqvist · Console'. */
export function consoleTitle(profileName: string, first = ''): string {
  return [first, profileName, consoleTexts.consoleSuffix].filter((part) => part !== '').join(' · ');
}

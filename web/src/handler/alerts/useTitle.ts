import { consoleTexts } from '@settee/protocol/consoleTexts';
import { useEffect } from 'react';

/** '(3) Mara Lindqvist · Console': what is unread can be read off the tab. */
export function useTitle(profileName: string, unread: number): void {
  useEffect(() => {
    const title = `${profileName} · ${consoleTexts.consoleSuffix}`;
    document.title = unread > 0 ? `(${unread}) ${title}` : title;
    // Signed out, the count is nobody's business.
    return () => {
      document.title = title;
    };
  }, [profileName, unread]);
}

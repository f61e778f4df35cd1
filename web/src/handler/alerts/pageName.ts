import { useEffect } from 'react';
import { createStore } from '../../browser/createStore.ts';

/** The visitor's name or the page's title, for the window's title. Empty for the queue. */
export const pageName = createStore('');

export function usePageName(shown: string): void {
  useEffect(() => {
    pageName.set(shown);
    return () => pageName.set('');
  }, [shown]);
}

import { createContext, use } from 'react';

/** The one row that Tab leads to; arrow keys lead to the others. */
export const RowTab = createContext<string | undefined>(undefined);

export function useRowTabIndex(conversationId: string): 0 | -1 {
  return use(RowTab) === conversationId ? 0 : -1;
}

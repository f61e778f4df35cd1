import { useManaged } from '../useManaged.ts';

export type Counts = { open: number | undefined; handlers: number | undefined };

/** Each is read again on news of its own. */
export function useCounts(): Counts {
  const conversations = useManaged('conversations', 'readCounts', {});
  const staff = useManaged('staff', 'readCounts', {});
  return { open: conversations.data?.open, handlers: staff.data?.handlers };
}

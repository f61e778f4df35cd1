import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { useAdmin } from '../context.ts';
import { REFETCH_INTERVAL_MS } from '../refetch.ts';

const KEYS = ['actor', 'action', 'q'] as const;
export type FilterKey = (typeof KEYS)[number];

/** What is looked for; the address keeps it, so that it can be sent to a colleague. */
export function useAuditFilter() {
  const [params, setParams] = useSearchParams();
  const filter: Partial<Record<FilterKey, string>> = {};
  for (const key of KEYS) {
    const value = params.get(key)?.trim();
    if (value) filter[key] = value;
  }
  return {
    filter,
    set: (change: Partial<Record<FilterKey, string>>) =>
      setParams(
        Object.entries({ ...filter, ...change }).filter(([, value]) => value !== ''),
        { replace: true },
      ),
    clear: () => setParams({}, { replace: true }),
  };
}

/** The log from the newest on, page by page, read again when there is more. */
export function useAudit(filter: Partial<Record<FilterKey, string>>) {
  const { session } = useAdmin();
  return useInfiniteQuery({
    queryKey: ['audit', 'readAudit', filter],
    initialPageParam: null as number | null,
    queryFn: async ({ pageParam }) => {
      const query = { ...filter, ...(pageParam !== null && { before: String(pageParam) }) };
      const read = await session.api('readAudit', { query });
      if (!read.ok) throw new Error(read.text);
      return read.answer;
    },
    getNextPageParam: (last) => last.next,
    placeholderData: (before) => before,
    refetchInterval: REFETCH_INTERVAL_MS,
  });
}

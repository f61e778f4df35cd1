import { AUDIT_PAGE } from '@settee/protocol/calls/auditCalls';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { useAdminPages } from '../useAdminQuery.ts';

const KEYS = ['actor', 'action', 'q'] as const;
export type FilterKey = (typeof KEYS)[number];

/** The filter is part of the address, so that it can be shared. */
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

/** The log, newest entries first. A search continues with older entries until a page is full. */
export function useAudit(filter: Partial<Record<FilterKey, string>>) {
  const query = useAdminPages('audit', 'readAudit', filter, { cursor: 'before', next: (page) => page.next });
  const { data, hasNextPage, isFetching, isFetchNextPageError, isPlaceholderData, fetchNextPage } = query;
  const found = data?.pages.at(-1)?.entries.length ?? AUDIT_PAGE;
  const searching = hasNextPage && !isPlaceholderData && !isFetchNextPageError && found < AUDIT_PAGE;
  useEffect(() => {
    if (searching && !isFetching) void fetchNextPage();
  }, [searching, isFetching, fetchNextPage]);
  return { query, searching };
}

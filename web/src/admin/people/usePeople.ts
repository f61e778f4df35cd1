import type { Person } from '@settee/protocol/calls/peopleCalls';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useAdmin } from '../context.ts';
import { REFETCH_INTERVAL_MS } from '../refetch.ts';

export type Shown = 'active' | 'deactivated';

/** Time for the next letter: a list per letter helps nobody. */
const TYPED_MS = 200;
/** The members of staff, a page at a time; read again whenever the server tells that something about them changed. */
export function usePeople(show: Shown, search: string) {
  const { session } = useAdmin();
  const q = useSettled(search.trim());
  const query = useInfiniteQuery({
    queryKey: ['staff', 'readPeople', { show, q }],
    queryFn: async ({ pageParam }) => {
      const read = await session.api('readPeople', {
        query: { show, ...(q !== '' && { q }), ...(pageParam !== null && { after: pageParam }) },
      });
      if (!read.ok) throw new Error(read.text);
      return read.answer;
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_INTERVAL_MS,
  });
  const people: Person[] | undefined = query.data?.pages.flatMap((page) => page.people);
  return { ...query, people, searching: q !== '' };
}

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPED_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

import type { Person } from '@settee/protocol/calls/peopleCalls';
import { useEffect, useState } from 'react';
import { useAdminPages } from '../useAdminQuery.ts';

export type PeopleFilter = 'active' | 'deactivated';

/** Debounce for typing. */
const TYPED_MS = 200;
/** The staff, page by page. */
export function usePeople(show: PeopleFilter, search: string) {
  const q = useSettled(search.trim());
  const query = useAdminPages(
    'staff',
    'readPeople',
    { show, ...(q !== '' && { q }) },
    { cursor: 'after', next: (page) => page.next },
  );
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

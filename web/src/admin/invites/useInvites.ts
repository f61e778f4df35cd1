import { type InviteCounts, ListedState, type ManagedInvite } from '@settee/protocol/model/managedInvite';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import * as v from 'valibot';
import { useAdmin } from '../context.ts';
import { REFETCH_INTERVAL_MS } from '../refetch.ts';

export type Chosen = { state: ListedState | null; alias: string; search: string };

export type Listed = { rows: ManagedInvite[]; counts: InviteCounts };

/** The pages read so far, newest first; all of them again when invites change. */
export function useInvites({ state, alias, search }: Chosen) {
  const { session } = useAdmin();
  return useInfiniteQuery({
    queryKey: ['invites', 'readInvites', state, alias, search],
    initialPageParam: '',
    queryFn: async ({ pageParam }) => {
      const asked = {
        ...(state !== null && { state }),
        ...(alias !== '' && { alias }),
        ...(search !== '' && { search }),
        ...(pageParam !== '' && { before: pageParam }),
      };
      const read = await session.api('readInvites', { query: asked });
      if (!read.ok) throw new Error(read.text);
      return read.answer;
    },
    getNextPageParam: (last) => last.next,
    placeholderData: keepPreviousData,
    // The more pages there are, the longer one reading of them all takes.
    refetchInterval: ({ state: { data } }) => REFETCH_INTERVAL_MS * (data?.pages.length ?? 1),
    select: ({ pages }): Listed => ({
      rows: pages.flatMap(({ rows }) => rows),
      counts: pages[0]?.counts ?? { NEW: 0, SEEN: 0, BOUND: 0, REVOKED: 0, EXPIRED: 0 },
    }),
  });
}

/** What the list is narrowed to; the address keeps it. */
export function useChosen(): [Chosen, (change: Partial<Chosen>) => void] {
  const [params, setParams] = useSearchParams();
  const state = v.safeParse(ListedState, params.get('state'));
  const chosen: Chosen = {
    state: state.success ? state.output : null,
    alias: params.get('handler') ?? '',
    search: params.get('search') ?? '',
  };

  function choose(change: Partial<Chosen>): void {
    const next = { ...chosen, ...change };
    const kept = { state: next.state ?? '', handler: next.alias, search: next.search };
    const entries = Object.entries(kept).filter(([, value]) => value !== '');
    setParams(new URLSearchParams(entries), { replace: true });
  }
  return [chosen, choose];
}

import { ListedState } from '@settee/protocol/model/managedInvite';
import { useSearchParams } from 'react-router';
import * as v from 'valibot';
import { useAdminPages } from '../useAdminQuery.ts';

export type InviteFilter = { state: ListedState | null; alias: string; search: string };

/** The invites that match, newest first. */
export function useInvites({ state, alias, search }: InviteFilter) {
  const query = {
    ...(state !== null && { state }),
    ...(alias !== '' && { alias }),
    ...(search !== '' && { search }),
  };
  return useAdminPages('invites', 'readInvites', query, { cursor: 'before', next: (page) => page.next });
}

/** The list's filter, stored in the address. */
export function useInviteFilter(): [InviteFilter, (change: Partial<InviteFilter>) => void] {
  const [params, setParams] = useSearchParams();
  const state = v.safeParse(ListedState, params.get('state'));
  const chosen: InviteFilter = {
    state: state.success ? state.output : null,
    alias: params.get('handler') ?? '',
    search: params.get('search') ?? '',
  };

  function choose(change: Partial<InviteFilter>): void {
    const next = { ...chosen, ...change };
    const kept = { state: next.state ?? '', handler: next.alias, search: next.search };
    const entries = Object.entries(kept).filter(([, value]) => value !== '');
    setParams(new URLSearchParams(entries), { replace: true });
  }
  return [chosen, choose];
}

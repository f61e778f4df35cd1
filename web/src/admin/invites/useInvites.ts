import { ListedState } from '@settee/protocol/model/managedInvite';
import { useSearchParams } from 'react-router';
import * as v from 'valibot';
import { useManagedPages } from '../useManaged.ts';

export type Chosen = { state: ListedState | null; alias: string; search: string };

/** The invites that match, newest first. */
export function useInvites({ state, alias, search }: Chosen) {
  const query = {
    ...(state !== null && { state }),
    ...(alias !== '' && { alias }),
    ...(search !== '' && { search }),
  };
  return useManagedPages('invites', 'readInvites', query, { cursor: 'before', next: (page) => page.next });
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

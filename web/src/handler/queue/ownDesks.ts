import type { QueueRow } from '@settee/protocol/model/conversation';
import type { HeldDesk } from '@settee/protocol/model/staff';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useLocation } from 'react-router';
import { readOrThrow } from '../../staff/readOrThrow.ts';
import { useConsole, useSignedIn } from '../context.ts';
import { deskInSearch } from './queueFilter.ts';

/** The person's desks with their names. Empty with one: then no page mentions desks. */
export function useOwnDesks(): readonly OwnDesk[] {
  const { session } = useSignedIn();
  const { desks } = useConsole();
  const read = useQuery({
    queryKey: ['deskNames', desks.map(({ alias }) => alias)],
    enabled: desks.length > 0,
    staleTime: 5 * 60_000,
    // After a gained or lost desk, the others keep their names.
    placeholderData: keepPreviousData,
    queryFn: async () => (await readOrThrow(session.api, 'readDesks', {})).names ?? {},
  });
  const names = read.data;
  return useMemo(
    () => desks.map((desk) => ({ ...desk, name: names?.[desk.alias] ?? desk.alias })),
    [desks, names],
  );
}

export type OwnDesk = HeldDesk & { name: string };

/** What this desk is called, for a person with several. */
export function useDeskName(alias: string | undefined): string | undefined {
  return useOwnDesks().find((desk) => desk.alias === alias)?.name;
}

/** What the desk of a row is called, in a list of several desks. */
export function useRowDesk(shownDesk: string): (row: QueueRow) => string | undefined {
  const desks = useOwnDesks();
  return ({ alias }) => (shownDesk === '' ? desks.find((desk) => desk.alias === alias)?.name : undefined);
}

/** The desk that the list is restricted to. Empty for all. */
export function useShownDesk(): string {
  const { desks } = useConsole();
  const wanted = deskInSearch(useLocation().search);
  return desks.some(({ alias }) => alias === wanted) ? wanted : '';
}

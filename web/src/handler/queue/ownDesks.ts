import type { QueueRow } from '@settee/protocol/model/conversation';
import type { OwnProfile } from '@settee/protocol/model/profile';
import type { HeldDesk } from '@settee/protocol/model/staff';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { readOrThrow } from '../../staff/readOrThrow.ts';
import type { ConsoleState } from '../console.ts';
import { useConsole, useSignedIn } from '../context.ts';
import { useOnePage } from '../useOnePage.ts';
import { profileAt } from './profileAt.ts';
import { filterInSearch, scopeInSearch, searchFor } from './queueFilter.ts';

/** The person's desks with their names. Empty with one: then no page mentions desks. */
export function useOwnDesks(): readonly OwnDesk[] {
  const { session } = useSignedIn();
  const { desks, profiles } = useConsole();
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
    () =>
      desks.map((desk) => ({
        ...desk,
        name: names?.[desk.alias] ?? desk.alias,
        profile: profileAt(profiles, desk.alias),
      })),
    [desks, names, profiles],
  );
}

export type OwnDesk = HeldDesk & {
  name: string;
  /** Undefined for a person with one profile. */
  profile: OwnProfile | undefined;
};

/** This desk, for a person with several. */
export function useDesk(alias: string | undefined): OwnDesk | undefined {
  return useOwnDesks().find((desk) => desk.alias === alias);
}

/** What a row says about its desk. */
export type RowDesk = { desk?: string; profile?: OwnProfile | undefined };

/** Rows name their desk in a list of several desks, and show its profile in a list of several profiles. */
export function useRowDesk(scope: Scope): (row: Pick<QueueRow, 'alias'>) => RowDesk {
  const desks = useOwnDesks();
  return ({ alias }) => {
    const desk = scope.desks.length === 1 ? undefined : desks.find((each) => each.alias === alias);
    return desk ? { desk: desk.name, ...(!scope.profile && { profile: desk.profile }) } : {};
  };
}

/** What the list shows: all desks, those of a profile, or one. */
export type Scope = {
  /** As in the address. Empty for all desks. */
  search: string;
  /** Empty for all. */
  desks: readonly string[];
  /** The chosen one, or that of the chosen desk. */
  profile: OwnProfile | undefined;
};

const all: Scope = { search: '', desks: [], profile: undefined };

/** All desks, unless the address names an own desk or profile. */
export function useScope(): Scope {
  const { desks, profiles } = useConsole();
  const wanted = scopeInSearch(useLocation().search);
  return useMemo(() => scopeOf(wanted, desks, profiles), [wanted, desks, profiles]);
}

function scopeOf(search: string, desks: readonly HeldDesk[], profiles: ConsoleState['profiles']): Scope {
  const [kind, id = ''] = search.split('=');
  if (kind === 'desk' && desks.some(({ alias }) => alias === id))
    return { search, desks: [id], profile: profileAt(profiles, id) };
  const profile = kind === 'profile' ? profiles.find(({ slug }) => slug === id) : undefined;
  return profile ? { search, desks: profile.desks, profile } : all;
}

/** Restricts the list. An open chat stays open beside it. */
export function useShowScope(): (scope: string) => void {
  const navigate = useNavigate();
  const { search } = useLocation();
  const onePage = useOnePage();
  return (scope) =>
    void navigate({
      ...(onePage && { pathname: '/' }),
      search: searchFor(filterInSearch(search), scope),
    });
}

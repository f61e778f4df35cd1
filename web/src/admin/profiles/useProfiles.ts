import type { ManagedProfile } from '@settee/protocol/model/profile';
import { useSearchParams } from 'react-router';
import { useAdminQuery } from '../useAdminQuery.ts';

const none: readonly ManagedProfile[] = [];

/** All profiles, archived ones last; none from an older gateway. `several` decides whether pages show any of them. */
export function useProfiles() {
  const { data, isError } = useAdminQuery('profile', 'listProfiles', {});
  const profiles = data?.profiles ?? none;
  return { profiles, several: profiles.length > 1, known: data !== undefined || isError };
}

/** The key in the address. */
export const PROFILE = 'profile';

/** The profile that the pages show, for the query of a call. Empty for all. */
export function useScope(): { profile?: string } {
  const [params] = useSearchParams();
  const { profiles, several, known } = useProfiles();
  const profile = params.get(PROFILE);
  const exists = several && profiles.some(({ slug }) => slug === profile);
  return profile !== null && (exists || !known) ? { profile } : {};
}

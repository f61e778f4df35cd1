import type { StaffClaims } from '@settee/protocol/model/staff';

/** Where a signed-in person goes from the console's address. */
type Destination = { show: 'console' | 'accessDenied' | 'enrol' } | { goTo: string };

const ADMIN = /^\/admin(?:\/[\w/-]*)?(?:\?[\w=&%.+*-]*)?$/;

export function signInDestination(search: string, { role, mustEnrol }: StaffClaims): Destination {
  const asked = new URLSearchParams(search);
  const next = asked.get('next') ?? '';
  // Only own pages: an address must not redirect elsewhere.
  if (role === 'admin' && ADMIN.test(next)) return { goTo: next };
  if (role !== 'admin' && (asked.has('denied') || ADMIN.test(next))) return { show: 'accessDenied' };
  return { show: mustEnrol ? 'enrol' : 'console' };
}

import type { StaffClaims } from '@settee/protocol/model/staff';

/** Where somebody who is signed in goes from the console's address: into it, or on to the admin area. */
export type Destination = { show: 'console' | 'accessDenied' | 'enrol' } | { goTo: string };

const ADMIN = /^\/admin(?:\/[\w/-]*)?(?:\?[\w=&%.+*-]*)?$/;

export function signInDestination(search: string, { role, mustEnrol }: StaffClaims): Destination {
  const asked = new URLSearchParams(search);
  const next = asked.get('next') ?? '';
  // Only places of our own: an address from outside must not lead anywhere else.
  if (role === 'admin' && ADMIN.test(next)) return { goTo: next };
  if (role !== 'admin' && (asked.has('denied') || ADMIN.test(next))) return { show: 'accessDenied' };
  return { show: mustEnrol ? 'enrol' : 'console' };
}

import type { StaffClaims } from '@settee/protocol/model/staff';

/** Where a signed-in person goes from the console's address. */
type Destination = { show: 'console' | 'accessDenied' | 'enrol' } | { goTo: string };

const OWN_PAGE = /^\/(?<area>admin|handler)(?:\/[\w/-]*)?(?:\?[\w=&%.+*-]*)?$/;

export function signInDestination(search: string, { role, mustEnrol }: StaffClaims): Destination {
  const asked = new URLSearchParams(search);
  const next = asked.get('next') ?? '';
  // Only own pages: an address must not redirect elsewhere.
  const area = OWN_PAGE.exec(next)?.groups?.area;
  if (role === 'admin' && area === 'admin') return { goTo: next };
  if (role !== 'admin' && (asked.has('denied') || area === 'admin')) return { show: 'accessDenied' };
  // After single sign-on.
  if (area === 'handler') return { goTo: next };
  return { show: mustEnrol ? 'enrol' : 'console' };
}

import type { Role } from '@settee/protocol/model/staff';

/** Who asks, as the server has verified it. Everything a caller may do follows from this and the database. */
export type Visitor = {
  kind: 'visitor';
  visitorId: string;
  /** Hash of the secret in the cookie that the ID token was made for; devices must match it. */
  credential: Buffer;
};

export type Staff = {
  kind: 'staff';
  staffId: string;
  sessionId: string;
  name: string;
  role: Role;
  alias: string | null;
  /** Signed in, but not there for visitors. */
  away: boolean;
  /**
   * False for a session that did not show the second factor which its account has or, where everyone needs one, has not
   * set up in time: it opens nothing but the account's own calls.
   */
  verified: boolean;
  /** Until when a second factor must be set up; null when none is missing. */
  enrolBy: number | null;
  /** That time is over: the admin area stays closed until there is one. */
  overdue: boolean;
};

export type Caller = Visitor | Staff;

/** The alias whose desk a member of staff may work at; null means any (an admin's). */
export function deskOf(staff: Staff): string | null {
  return staff.role === 'admin' ? null : staff.alias;
}

/** Under whose id messages and images are kept. Of a member of staff it must not reach a visitor. */
export function authorIdOf(caller: Caller): string {
  return caller.kind === 'visitor' ? caller.visitorId : caller.staffId;
}

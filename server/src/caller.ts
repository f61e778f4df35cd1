import type { Role } from '@settee/protocol/staff';

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
   * False for who has shown no second factor, while they have one or, as an administrator, need one: nothing opens until
   * they do.
   */
  verified: boolean;
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

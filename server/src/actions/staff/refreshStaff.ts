import type { App } from '../../app.ts';
import { staffOf } from '../../auth/callers.ts';
import { Refusal } from '../../auth/refusal.ts';
import type { Staff } from '../../caller.ts';
import { findSession } from '../../db/staff/staff.ts';
import { signOutStaff } from './signOutStaff.ts';

/**
 * Who holds this session, with role and alias as they are now. Whoever lost the role is signed out; so is a handler who
 * has a second factor that this session never showed. Administrators, and
 * whoever has to set one up, are told what is missing instead.
 */
export async function refreshStaff(app: App, tokenHash: Buffer): Promise<Staff> {
  const session = await findSession(app.db, app.config.secondFactor, tokenHash);
  if (session === undefined) throw new Refusal('unauthenticated');
  const staff = staffOf(session);
  if (staff?.verified || staff?.overdue || staff?.role === 'admin') return staff;
  await signOutStaff(app, tokenHash);
  throw new Refusal(staff === undefined ? 'access_denied' : 'unauthenticated');
}

import type { FactorMethod } from '@settee/protocol/model/secondFactor';
import type { Role } from '@settee/protocol/model/staff';
import { accountTexts } from '@settee/protocol/texts/accountTexts';
import type { App } from '../platform/app.ts';
import { allowFailureAudit } from '../platform/auth/rateLimits.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import { audited, type RecordEntry } from '../platform/db/audited.ts';
import { logFailure } from '../platform/log/log.ts';
import type { SessionOrigin, Staff } from '../platform/ports/caller.ts';
import type { AccountRow } from './accounts.store.ts';
import { staffOf } from './callers.ts';
import { dropPushOfSession, endSession, endSessionsOf } from './ownSessions.store.ts';
import {
  findSession,
  insertSession,
  readSession,
  revokeSession,
  type SessionProof,
  touchSession,
} from './staff.store.ts';
import { newSession } from './staffCookie.ts';

export type OpenedSession = { staff: Staff; email: string; secret: string };

/** Opens a session. The caller has locked the account and verified all credentials. */
export async function openSession(
  app: App,
  db: Parameters<typeof insertSession>[0],
  record: RecordEntry,
  account: AccountRow & { role: Role },
  how: { method: 'password' | 'sso' | FactorMethod; proof: SessionProof; origin: SessionOrigin },
): Promise<OpenedSession> {
  const { id: staffId } = account;
  const { secret, tokenHash } = newSession(app);
  const { method, proof, origin } = how;
  const { days } = app.config.sessions[account.role];
  const session = { staffId, tokenHash, days, proof, ...origin };
  const sessionId = await insertSession(db, session);
  record('staff.signIn', staffId, { method }, staffId);
  const row = await readSession(db, app.config, sessionId);
  const staff = row && staffOf(row);
  if (staff === undefined) throw new Refusal('unauthenticated');
  return { staff, email: account.email, secret };
}

/**
 * Audits a failed sign-in of an existing account, up to a few per hour. Not awaited: its duration would reveal that
 * the account exists.
 */
export function auditFailedSignIn(app: App, staffId: string, step: 'password' | FactorMethod): void {
  void logFailure(app.log, 'failed sign-in not audited', async () => {
    if (!(await allowFailureAudit(app, staffId, step))) return;
    await audited(app, 'anonymous', (_, record) => record('staff.signInFailed', staffId, { step }));
  });
}

/**
 * The session's staff member with current role and alias. Signs out who lost the role, and a handler whose session
 * lacks a second factor that exists. Administrators, and those who still have to set up a factor, stay signed in with
 * limited access. `active`: the person did something; an open page alone does not keep a session alive.
 */
export async function refreshStaff(
  app: App,
  tokenHash: Buffer,
  { active, network }: { active: boolean; network: string },
): Promise<Staff> {
  const session = await findSession(app.db, app.config, tokenHash);
  if (session === undefined) throw new Refusal('unauthenticated');
  if (active) await touchSession(app.db, session.sessionId, network);
  const staff = staffOf(session);
  if (staff?.verified || staff?.overdue || staff?.role === 'admin') return staff;
  await signOutStaff(app, tokenHash);
  throw new Refusal(staff === undefined ? 'access_denied' : 'unauthenticated');
}

/** Ends the session: its tokens and sockets end with it. */
export async function signOutStaff(app: App, tokenHash: Buffer): Promise<void> {
  await audited(app, 'anonymous', async (db, record) => {
    const staffId = await revokeSession(db, tokenHash);
    await dropPushOfSession(db, tokenHash);
    // Only the session says who it was.
    if (staffId !== undefined) record('staff.signOut', staffId, {}, staffId);
  });
}

/** Ends all other sessions of the caller. Returns their number. */
export function signOutElsewhere(app: App, { staffId, sessionId }: Staff): Promise<number> {
  return audited(app, staffId, async (db, record) => {
    const count = await endSessionsOf(db, staffId, { except: sessionId });
    record('staff.signOut', staffId, { elsewhere: count });
    return count;
  });
}

/** Ends one other session of the caller. */
export async function signOutSession(app: App, { staffId, sessionId }: Staff, id: string): Promise<void> {
  await audited(app, staffId, async (db, record) => {
    if (id === sessionId || !(await endSession(db, { staffId, id }))) {
      throw new Refusal('not_found', accountTexts.sessionGone);
    }
    record('staff.signOut', staffId, { elsewhere: 1 });
  });
}

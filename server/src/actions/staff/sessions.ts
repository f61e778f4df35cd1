import type { FactorMethod } from '@settee/protocol/model/secondFactor';
import type { Role } from '@settee/protocol/model/staff';
import type { App } from '../../app.ts';
import { staffOf } from '../../auth/callers.ts';
import { allowFailureAudit } from '../../auth/rateLimits.ts';
import { Refusal } from '../../auth/refusal.ts';
import { newSession, STAFF_SESSION_DAYS } from '../../auth/staffCookie.ts';
import type { Staff } from '../../caller.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import { dropPushOfSession } from '../../db/push/pushSubscriptions.ts';
import type { AccountRow } from '../../db/staff/accounts.ts';
import { endSessionsOf } from '../../db/staff/ownSessions.ts';
import { findSession, insertSession, readSession, revokeSession } from '../../db/staff/staff.ts';
import { reason } from '../../log/log.ts';

export type OpenedSession = { staff: Staff; secret: string };

/** A session of an account that was held, and has shown all that it has to. */
export async function openSession(
  app: Pick<App, 'random' | 'config'>,
  db: Parameters<typeof insertSession>[0],
  account: AccountRow & { role: Role },
  method: 'password' | FactorMethod,
): Promise<OpenedSession> {
  const { id: staffId } = account;
  const { secret, tokenHash } = newSession(app);
  const secondFactor = method !== 'password';
  const session = { staffId, tokenHash, days: STAFF_SESSION_DAYS, secondFactor };
  const sessionId = await insertSession(db, session);
  await insertAudit(db, { actor: staffId, action: 'staff.signIn', target: staffId, details: { method } });
  const row = await readSession(db, app.config.secondFactor, sessionId);
  const staff = row && staffOf(row);
  if (staff === undefined) throw new Refusal('unauthenticated');
  return { staff, secret };
}

/**
 * Of an account that there is: what strangers type is no business of the log's. The first few of an hour; the rest would
 * tell no more. Nobody waits for it, because the time it takes would tell that there is one.
 */
export function auditFailedSignIn(
  app: Pick<App, 'config' | 'db' | 'log' | 'announce'>,
  staffId: string,
  step: 'password' | FactorMethod,
): void {
  const entry = { actor: 'anonymous', action: 'staff.signInFailed', target: staffId, details: { step } };
  allowFailureAudit(app, staffId, step)
    .then(async (may) => {
      if (!may) return;
      await insertAudit(app.db.sql, entry);
      app.announce.managementChanged('audit');
    })
    .catch((error: unknown) =>
      app.log.warn({ reason: reason(error) }, 'a failed sign-in is not in the audit log'),
    );
}

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

/** Ends the session in the database: every token and socket made from it ends with it. */
export async function signOutStaff(app: App, tokenHash: Buffer): Promise<void> {
  const ended = await app.db.sql.transaction().execute(async (db) => {
    const staffId = await revokeSession(db, tokenHash);
    await dropPushOfSession(db, tokenHash);
    if (staffId !== undefined)
      await insertAudit(db, { actor: staffId, action: 'staff.signOut', target: staffId });
    return staffId !== undefined;
  });
  if (ended) app.announce.accessChanged();
}

/** Ends every session of the caller but this one. Answers how many there were. */
export async function signOutElsewhere(app: App, { staffId, sessionId }: Staff): Promise<number> {
  const ended = await app.db.sql.transaction().execute(async (db) => {
    const count = await endSessionsOf(db, staffId, { except: sessionId });
    const details = { elsewhere: count };
    await insertAudit(db, { actor: staffId, action: 'staff.signOut', target: staffId, details });
    return count;
  });
  app.announce.accessChanged();
  return ended;
}

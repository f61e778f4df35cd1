import { Role } from '@settee/protocol/model/staff';
import * as v from 'valibot';
import type { App } from '../app.ts';
import type { Caller, Staff } from '../caller.ts';
import { findSessions, type SessionRow } from '../db/staff/staff.ts';
import { verifyIdToken } from './idToken.ts';
import { Refusal } from './refusal.ts';

const CREDENTIAL_BYTES = 32;

/**
 * Who bears this token, and until when. A visitor is believed on the signature alone: what it may open
 * is asked of the devices table. Of staff only the session's id is believed; role, alias and name are read anew.
 */
export async function callerFromIdToken(
  app: Pick<App, 'config' | 'clock' | 'db'>,
  token: string,
): Promise<{ caller: Caller; expiresAt: number }> {
  const claims = await verifyIdToken(app, token);
  const expiresAt = claims.exp * 1_000;
  if (claims.role === 'visitor') {
    // Memory of its own: a slice of Node's pool would keep 64 KiB alive for as long as the socket.
    const credential = Buffer.allocUnsafeSlow(CREDENTIAL_BYTES);
    credential.write(claims.cred, 'base64url');
    return { caller: { kind: 'visitor', visitorId: claims.sub, credential }, expiresAt };
  }
  const staff = (await readStaffSessions(app, [claims.sid])).get(claims.sid);
  if (staff === undefined || staff.staffId !== claims.sub) throw new Refusal('unauthenticated');
  return { caller: staff, expiresAt };
}

/** The sessions out of these that still open a door, as the database has them now. */
export async function readStaffSessions(
  app: Pick<App, 'config' | 'db'>,
  sessionIds: string[],
): Promise<Map<string, Staff>> {
  const rows = sessionIds.length === 0 ? [] : await findSessions(app.db, app.config.secondFactor, sessionIds);
  const staff = rows.map(staffOf).filter((found) => found !== undefined);
  return new Map(staff.map((found) => [found.sessionId, found]));
}

/** A member of staff, if role and alias make one: a handler without a desk may sit nowhere. */
export function staffOf(row: SessionRow): Staff | undefined {
  if (!isQualified(row)) return undefined;
  return { kind: 'staff', ...row };
}

export function isQualified<T extends { role: string; alias: string | null }>(
  row: T,
): row is T & { role: Role } {
  return v.is(Role, row.role) && (row.role === 'admin' || row.alias !== null);
}

import { Role } from '@settee/protocol/model/staff';
import * as v from 'valibot';
import type { App } from '../platform/app.ts';
import { verifyIdToken } from '../platform/auth/idToken.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import type { Caller, Staff, Visitor } from '../platform/ports/caller.ts';
import { findSessions, type SessionRow } from './staff.store.ts';

/** Keeps the credential as text: a Buffer needs 200 bytes more, on every idle socket. */
class TokenVisitor implements Visitor {
  readonly kind = 'visitor';
  readonly visitorId: string;
  readonly #credential: string;

  constructor(visitorId: string, credential: string) {
    this.visitorId = visitorId;
    this.#credential = credential;
  }

  get credential(): Buffer {
    return Buffer.from(this.#credential, 'base64url');
  }
}

/**
 * The caller that a token names, and when the token expires. For a visitor the signature is enough, because the devices
 * table decides what they may open. For staff only the session id counts: role, alias and name come from the database.
 */
export async function callerFromIdToken(
  app: App,
  token: string,
): Promise<{ caller: Caller; expiresAt: number }> {
  const claims = await verifyIdToken(app, token);
  const expiresAt = claims.exp * 1_000;
  if (claims.role === 'visitor') {
    return { caller: new TokenVisitor(claims.sub, claims.cred), expiresAt };
  }
  const staff = (await readStaffSessions(app, [claims.sid])).get(claims.sid);
  if (staff === undefined || staff.staffId !== claims.sub) throw new Refusal('unauthenticated');
  return { caller: staff, expiresAt };
}

/** Those of the sessions that are still valid, with their current state. */
export async function readStaffSessions(app: App, sessionIds: string[]): Promise<Map<string, Staff>> {
  const rows = sessionIds.length === 0 ? [] : await findSessions(app.reserved, app.config, sessionIds);
  const staff = rows.map(staffOf).filter((found) => found !== undefined);
  return new Map(staff.map((found) => [found.sessionId, found]));
}

/** Undefined when role and alias do not fit: a handler needs a desk. */
export function staffOf(row: SessionRow): Staff | undefined {
  if (!hasValidRole(row)) return undefined;
  return { kind: 'staff', ...row };
}

export function hasValidRole<T extends { role: string; alias: string | null }>(
  row: T,
): row is T & { role: Role } {
  return v.is(Role, row.role) && (row.role === 'admin' || row.alias !== null);
}

import { createHmac, type KeyObject } from 'node:crypto';
import { Uuid } from '@settee/protocol/model/ids';
import { SignJWT } from 'jose';
import * as v from 'valibot';
import type { App } from '../platform/app.ts';
import { verifyJwt } from '../platform/auth/jwt.ts';
import { keyFor, keysFor } from '../platform/config/keys.ts';

type Deps = Pick<App, 'config' | 'clock' | 'random'>;

const ALGORITHM = 'HS256';
const LIFE_SECONDS = 5 * 60;

/** What a ticket is for. A ticket continues in a second call what a first call began. */
type Purpose = 'sign-in' | 'sign-in with a passkey' | 'totp' | 'passkey';

const Claims = v.object({
  sub: Uuid,
  jti: Uuid,
  /** State between the calls: a challenge, or a secret that was shown to its owner. */
  memo: v.string(),
  /** Identifies the password. A changed password voids the ticket. */
  mark: v.string(),
  exp: v.number(),
});

export type Ticket = { ticketId: string; staffId: string; memo: string; mark: string; expiresAt: number };

export async function signTicket(
  app: Deps,
  purpose: Purpose,
  account: { id: string; passwordHash: string | null },
  memo: string,
): Promise<string> {
  const now = Math.floor(app.clock.now() / 1_000);
  return new SignJWT({ memo, mark: passwordMark(keyFor(app.config, 'password mark'), account.passwordHash) })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setSubject(account.id)
    .setJti(app.random.uuid())
    .setIssuer(app.config.publicUrl)
    .setAudience(purpose)
    .setExpirationTime(now + LIFE_SECONDS)
    .sign(keyFor(app.config, 'ticket'));
}

/** Undefined unless we signed the ticket for this purpose and it has not expired. */
export async function readTicket(app: Deps, purpose: Purpose, ticket: string): Promise<Ticket | undefined> {
  const payload = await verifyJwt(ticket, keysFor(app.config, 'ticket'), {
    algorithms: [ALGORITHM],
    issuer: app.config.publicUrl,
    audience: purpose,
    currentDate: new Date(app.clock.now()),
  });
  const claims = v.safeParse(Claims, payload);
  if (!claims.success) return undefined;
  const { sub, jti, memo, mark, exp } = claims.output;
  return { staffId: sub, ticketId: jti, memo, mark, expiresAt: exp * 1_000 };
}

/** Whether the ticket belongs to this account and the password is unchanged. */
export function ticketMatches(
  app: Deps,
  ticket: Ticket,
  account: { id: string; passwordHash: string | null },
): boolean {
  const marks = keysFor(app.config, 'password mark').map((key) => passwordMark(key, account.passwordHash));
  return ticket.staffId === account.id && marks.includes(ticket.mark);
}

/** Identifies a stored password hash without revealing it. */
function passwordMark(key: KeyObject, passwordHash: string | null): string {
  return createHmac('sha256', key)
    .update(passwordHash ?? '')
    .digest('base64url');
}

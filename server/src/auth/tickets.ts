import { createHmac, type KeyObject } from 'node:crypto';
import { Uuid } from '@settee/protocol/model/ids';
import { SignJWT } from 'jose';
import * as v from 'valibot';
import type { App } from '../app.ts';
import { keyFor, keysFor } from './keys.ts';
import { verifiedPayload } from './verifiedPayload.ts';

type Needs = Pick<App, 'config' | 'clock' | 'random'>;

const ALGORITHM = 'HS256';
const LIFE_SECONDS = 5 * 60;

/** What is begun in one call and ended in another, and whose. A ticket for one is none for another. */
type Errand = 'sign-in' | 'totp' | 'passkey';

const Claims = v.object({
  sub: Uuid,
  jti: Uuid,
  /** What the errand has to remember: a challenge, a secret that its owner has been shown. */
  memo: v.string(),
  /** Which password it was begun with: with another one it is void. */
  mark: v.string(),
  exp: v.number(),
});

export type Ticket = { ticketId: string; staffId: string; memo: string; mark: string; expiresAt: number };

export async function signTicket(
  app: Needs,
  errand: Errand,
  account: { id: string; passwordHash: string | null },
  memo: string,
): Promise<string> {
  const now = Math.floor(app.clock.now() / 1_000);
  return new SignJWT({ memo, mark: passwordMark(keyFor(app.config, 'password mark'), account.passwordHash) })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setSubject(account.id)
    .setJti(app.random.uuid())
    .setIssuer(app.config.publicUrl)
    .setAudience(errand)
    .setExpirationTime(now + LIFE_SECONDS)
    .sign(keyFor(app.config, 'ticket'));
}

/** Undefined for what we did not sign for this errand, and for what has ended. */
export async function readTicket(app: Needs, errand: Errand, ticket: string): Promise<Ticket | undefined> {
  const payload = await verifiedPayload(ticket, keysFor(app.config, 'ticket'), {
    algorithms: [ALGORITHM],
    issuer: app.config.publicUrl,
    audience: errand,
    currentDate: new Date(app.clock.now()),
  });
  const claims = v.safeParse(Claims, payload);
  if (!claims.success) return undefined;
  const { sub, jti, memo, mark, exp } = claims.output;
  return { staffId: sub, ticketId: jti, memo, mark, expiresAt: exp * 1_000 };
}

/** Whether the account is still the ticket's, under the same password. */
export function fitsTicket(
  app: Needs,
  ticket: Ticket,
  account: { id: string; passwordHash: string | null },
): boolean {
  const marks = keysFor(app.config, 'password mark').map((key) => passwordMark(key, account.passwordHash));
  return ticket.staffId === account.id && marks.includes(ticket.mark);
}

/** Tells one stored hash from another, and nothing about either. */
function passwordMark(key: KeyObject, passwordHash: string | null): string {
  return createHmac('sha256', key)
    .update(passwordHash ?? '')
    .digest('base64url');
}

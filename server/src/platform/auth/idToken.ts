import { Uuid } from '@settee/protocol/model/ids';
import { type JWTPayload, SignJWT } from 'jose';
import * as v from 'valibot';
import type { App } from '../app.ts';
import { keyFor, keysFor } from '../config/keys.ts';
import type { Staff, Visitor } from '../ports/caller.ts';
import { verifyJwt } from './jwt.ts';
import { Refusal } from './refusal.ts';

type Deps = Pick<App, 'config' | 'clock'>;

const ALGORITHM = 'HS256';
const AUDIENCE = 'settee';
const LIFE_SECONDS = 60 * 60;

export type IdToken = { idToken: string; expiresAt: number };

const VisitorClaims = v.object({
  sub: Uuid,
  role: v.literal('visitor'),
  cred: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{43}$/)),
  exp: v.number(),
});
/** The page reads role, alias and name. The server looks the session up by its id. */
const StaffClaims = v.object({
  sub: Uuid,
  role: v.picklist(['handler', 'admin']),
  sid: Uuid,
  exp: v.number(),
});
const Claims = v.variant('role', [VisitorClaims, StaffClaims]);
export type Claims = v.InferOutput<typeof Claims>;

export function signVisitor(app: Deps, visitor: Visitor): Promise<IdToken> {
  return sign(app, visitor.visitorId, {
    role: 'visitor',
    cred: visitor.credential.toString('base64url'),
  });
}

export function signStaff(app: Deps, staff: Staff): Promise<IdToken> {
  const { role, alias, name, sessionId } = staff;
  return sign(app, staff.staffId, { role, alias, name, sid: sessionId });
}

/** Throws `unauthenticated` unless this server signed the token and it has not expired. */
export async function verifyIdToken(app: Deps, token: string): Promise<Claims> {
  const payload = await verifyJwt(token, keysFor(app.config, 'id token'), {
    algorithms: [ALGORITHM],
    issuer: app.config.publicUrl,
    audience: AUDIENCE,
    currentDate: new Date(app.clock.now()),
  });
  const claims = v.safeParse(Claims, payload);
  if (!claims.success) throw new Refusal('unauthenticated');
  return claims.output;
}

async function sign(app: Deps, subject: string, claims: JWTPayload): Promise<IdToken> {
  const issued = Math.floor(app.clock.now() / 1_000);
  const expires = issued + LIFE_SECONDS;
  const idToken = await new SignJWT(claims)
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setSubject(subject)
    .setIssuer(app.config.publicUrl)
    .setAudience(AUDIENCE)
    .setIssuedAt(issued)
    .setExpirationTime(expires)
    .sign(keyFor(app.config, 'id token'));
  return { idToken, expiresAt: expires * 1_000 };
}

import { createHash, createHmac, type KeyObject } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../platform/app.ts';
import { cookieName, cookieOptions, cookieValues } from '../platform/auth/cookies.ts';
import { isSigned, keyFor, keysFor } from '../platform/config/keys.ts';
import type { Visitor } from '../platform/ports/caller.ts';

type Deps = Pick<App, 'config'>;

/** The content of the cookie. The database stores only the secret's hash, the credential. */
export type VisitorSecret = { visitorId: string; secret: Buffer };

const SECRET_BYTES = 32;
/** The maximum that browsers allow. */
const MAX_AGE_SECONDS = 400 * 24 * 60 * 60;
const SHAPE = /^([0-9a-f-]{36})\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/;

export function newVisitor(app: Pick<App, 'random'>): VisitorSecret {
  return { visitorId: app.random.uuid(), secret: Buffer.from(app.random.bytes(SECRET_BYTES)) };
}

export function visitorOf({ visitorId, secret }: VisitorSecret): Visitor {
  return { kind: 'visitor', visitorId, credential: createHash('sha256').update(secret).digest() };
}

/**
 * The visitor's next secret, issued when an invite attaches their device. A credential that was planted or copied
 * before is worthless afterwards. The secret is derived, not random: a browser that lost the answer gets the same one
 * when it asks again.
 */
export function nextSecret(
  app: Deps,
  visitor: Visitor,
  inviteId: string,
  key = keyFor(app.config, 'visitor secret'),
): VisitorSecret {
  const secret = createHmac('sha256', key)
    .update(`${visitor.visitorId} ${inviteId} `)
    .update(visitor.credential)
    .digest();
  return { visitorId: visitor.visitorId, secret };
}

/** The secret that the invite issued for the stored credential, also with a key from before SECRET changed. */
export function issuedSecret(
  app: Deps,
  visitor: Visitor,
  inviteId: string,
  credential: Buffer,
): VisitorSecret | undefined {
  return keysFor(app.config, 'visitor secret')
    .map((key) => nextSecret(app, visitor, inviteId, key))
    .find((issued) => credential.equals(visitorOf(issued).credential));
}

export function readVisitorCookie(app: Deps, request: FastifyRequest): VisitorSecret | undefined {
  for (const value of cookieValues(app.config, request, 'visitor')) {
    const visitor = readSigned(app, value);
    if (visitor !== undefined) return visitor;
  }
  return undefined;
}

const UNSIGNED_MAX = 4;

/** Cookies that this cell did not sign. Without a proof in the database, they mean nothing. */
export function readUnsignedVisitorCookies(app: Deps, request: FastifyRequest): VisitorSecret[] {
  const found = cookieValues(app.config, request, 'visitor').flatMap((value) => {
    const [, visitorId = '', secret = ''] = SHAPE.exec(value) ?? [];
    const isForeign = visitorId !== '' && readSigned(app, value) === undefined;
    return isForeign ? { visitorId, secret: Buffer.from(secret, 'base64url') } : [];
  });
  // Each costs a query.
  return found.slice(0, UNSIGNED_MAX);
}

function readSigned(app: Deps, value: string): VisitorSecret | undefined {
  const parts = SHAPE.exec(value);
  if (parts === null) return undefined;
  const [, visitorId = '', secret = '', signature = ''] = parts;
  const given = Buffer.from(signature, 'base64url');
  const keys = keysFor(app.config, 'visitor cookie');
  if (!isSigned(keys, given, (key) => sign(key, visitorId, secret))) return undefined;
  return { visitorId, secret: Buffer.from(secret, 'base64url') };
}

export function setVisitorCookie(app: Deps, reply: FastifyReply, visitor: VisitorSecret): void {
  const secret = visitor.secret.toString('base64url');
  const signature = sign(keyFor(app.config, 'visitor cookie'), visitor.visitorId, secret).toString(
    'base64url',
  );
  reply.setCookie(cookieName(app.config, 'visitor'), `${visitor.visitorId}.${secret}.${signature}`, {
    ...cookieOptions(app.config),
    maxAge: MAX_AGE_SECONDS,
  });
}

function sign(key: KeyObject, visitorId: string, secret: string): Buffer {
  return createHmac('sha256', key).update(`${visitorId}.${secret}`).digest();
}

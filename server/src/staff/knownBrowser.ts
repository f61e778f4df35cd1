import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../platform/app.ts';
import { cookieName, cookieOptions, cookieValues } from '../platform/auth/cookies.ts';
import { foldEmail } from '../platform/auth/foldEmail.ts';
import { keyFor, keysFor } from '../platform/config/keys.ts';

const ID_BYTES = 16;
const SHAPE = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;
/** The maximum that browsers allow. */
const MAX_AGE_SECONDS = 400 * 24 * 60 * 60;

/**
 * Marks a browser after a sign-in ("device cookie" in OWASP's words). It gives no access. A marked browser has its own
 * limit of failed sign-ins, so strangers who guess the password of an account do not delay its owner.
 */
export function markBrowser(app: Pick<App, 'config' | 'random'>, reply: FastifyReply, email: string): void {
  const id = Buffer.from(app.random.bytes(ID_BYTES)).toString('base64url');
  const signature = sign(keyFor(app.config, 'known browser'), id, email).toString('base64url');
  reply.setCookie(cookieName(app.config, 'known'), `${id}.${signature}`, {
    ...cookieOptions(app.config),
    maxAge: MAX_AGE_SECONDS,
  });
}

/** The id of a browser in which this account signed in before; otherwise undefined. */
export function knownBrowser(
  app: Pick<App, 'config'>,
  request: FastifyRequest,
  email: string,
): string | undefined {
  const [value = ''] = cookieValues(app.config, request, 'known');
  const [, id = '', signature = ''] = SHAPE.exec(value) ?? [];
  const given = Buffer.from(signature, 'base64url');
  const isKnown = keysFor(app.config, 'known browser').some((key) => {
    const expected = sign(key, id, email);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isKnown ? id : undefined;
}

function sign(key: KeyObject, id: string, email: string): Buffer {
  return createHmac('sha256', key)
    .update(`${id} ${foldEmail(email)}`)
    .digest();
}

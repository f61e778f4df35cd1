import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../platform/app.ts';
import { cookieName, cookieOptions, cookieValues } from '../platform/auth/cookies.ts';

type Deps = Pick<App, 'config'>;

const SECRET_BYTES = 32;
const SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** The browser stores the session's secret, the database its hash. */
export function newSession(app: Pick<App, 'random'>): { secret: string; tokenHash: Buffer } {
  const secret = Buffer.from(app.random.bytes(SECRET_BYTES)).toString('base64url');
  return { secret, tokenHash: hashOf(secret) };
}

/** The stored hash of the session that the cookie names. */
export function readStaffCookie(app: Deps, request: FastifyRequest): Buffer | undefined {
  const [secret = ''] = cookieValues(app.config, request, 'staff');
  return SHAPE.test(secret) ? hashOf(secret) : undefined;
}

/** Whether the browser seems to be signed in. Nothing is looked up: the database may be overloaded. */
export function hasStaffCookie(app: Deps, { headers }: IncomingMessage): boolean {
  const start = `${cookieName(app.config, 'staff')}=`;
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.some((pair) => pair.startsWith(start) && SHAPE.test(pair.slice(start.length)));
}

export function setStaffCookie(app: Deps, reply: FastifyReply, secret: string): void {
  const { handler, admin } = app.config.sessions;
  reply.setCookie(cookieName(app.config, 'staff'), secret, {
    ...cookieOptions(app.config),
    // The database decides when the session ends.
    maxAge: Math.max(handler.days, admin.days) * 24 * 60 * 60,
  });
}

export function clearStaffCookie(app: Deps, reply: FastifyReply): void {
  reply.clearCookie(cookieName(app.config, 'staff'), cookieOptions(app.config));
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(Buffer.from(secret, 'base64url')).digest();
}

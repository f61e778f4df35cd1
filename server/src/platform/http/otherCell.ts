import type { FastifyReply } from 'fastify';
import type { App } from '../app.ts';
import { cellCookie, cookieOptions } from '../auth/cookies.ts';
import { hashInviteToken } from '../auth/inviteToken.ts';
import { Refusal } from '../auth/refusal.ts';
import { findNewCell } from '../db/moved.ts';
import { withTimeout } from '../limits/concurrency.ts';

/** As long as the router's. */
const MAX_AGE_SECONDS = 400 * 24 * 60 * 60;
const PAGE_TIMEOUT_MS = 1_000;

/** Sends the browser to another cell: the router reads the cookie when the page asks again. */
export function sendTo(app: App, reply: FastifyReply, cell: string): Refusal {
  const options = { ...cookieOptions(app.config), sameSite: 'lax', maxAge: MAX_AGE_SECONDS } as const;
  reply.setCookie(cellCookie(app.config), cell, options);
  return new Refusal('unavailable');
}

/** Runs `act`. If it refuses because the key is unknown here, and the key moved, the browser goes to that cell. */
async function orSend<T>(
  app: App,
  reply: FastifyReply,
  { code, key }: { code: Refusal['code']; key: Buffer | undefined },
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== code || key === undefined) throw error;
    const cell = await findNewCell(app.db, key);
    throw cell === undefined ? error : sendTo(app, reply, cell);
  }
}

export function orSendInvite<T>(
  app: App,
  reply: FastifyReply,
  token: string,
  act: () => Promise<T>,
): Promise<T> {
  return orSend(app, reply, { code: 'invite_not_found', key: hashInviteToken(token) }, act);
}

export function orSendStaff<T>(
  app: App,
  reply: FastifyReply,
  tokenHash: Buffer | undefined,
  act: () => Promise<T>,
): Promise<T> {
  return orSend(app, reply, { code: 'unauthenticated', key: tokenHash }, act);
}

/** The cell of an invite that moved; undefined if it is here, or if PostgreSQL does not answer in time. */
export async function cellOfInvite(app: App, token: string): Promise<string | undefined> {
  const tokenHash = hashInviteToken(token);
  if (tokenHash === undefined) return undefined;
  return withTimeout(PAGE_TIMEOUT_MS, findNewCell(app.db, tokenHash)).catch(() => undefined);
}

import { createHash } from 'node:crypto';
import { InviteToken } from '@settee/protocol/model/invite';
import * as v from 'valibot';
import type { App } from '../app.ts';

const RANDOM_BYTES = 24;

/** The cell's tag, by which an edge can route, then 192 bits that nobody guesses. */
function newInviteToken(app: Pick<App, 'config' | 'random'>): string {
  return app.config.cell + Buffer.from(app.random.bytes(RANDOM_BYTES)).toString('base64url');
}

/** A link for whoever is invited, known here and now only; and the hash, which is what is kept. */
export function newInviteLink(app: Pick<App, 'config' | 'random'>): { link: string; tokenHash: Buffer } {
  const token = newInviteToken(app);
  const tokenHash = hashInviteToken(token);
  if (tokenHash === undefined) throw new Error('newInviteToken made no valid token');
  return { link: `${app.config.publicUrl}/i/${token}`, tokenHash };
}

/** By which the database knows a token; undefined for what cannot be one, so that it costs no query. */
export function hashInviteToken(token: string): Buffer | undefined {
  return v.is(InviteToken, token) ? createHash('sha256').update(token).digest() : undefined;
}

import { createHash } from 'node:crypto';
import { Uuid } from '@settee/protocol/model/ids';
import { InviteToken } from '@settee/protocol/model/invite';
import * as v from 'valibot';
import type { App } from '../app.ts';
import type { Link } from '../db/profileOf.ts';

const RANDOM_BYTES = 24;

/** The cell's tag, so that an edge can route, followed by 192 random bits. */
function newInviteToken(app: Pick<App, 'config' | 'random'>): string {
  return app.config.cell + Buffer.from(app.random.bytes(RANDOM_BYTES)).toString('base64url');
}

/** A new link and the hash of its token. Only the hash is stored. */
export function newInviteLink(app: Pick<App, 'config' | 'random'>): { link: string; tokenHash: Buffer } {
  const token = newInviteToken(app);
  const tokenHash = hashInviteToken(token);
  if (tokenHash === undefined) throw new Error('newInviteToken made no valid token');
  return { link: `${app.config.publicUrl}/i/${token}`, tokenHash };
}

/** The stored hash of a token. Undefined for an impossible token, which saves the query. */
export function hashInviteToken(token: string): Buffer | undefined {
  return v.is(InviteToken, token) ? createHash('sha256').update(token).digest() : undefined;
}

/** What the last part of a page's address leads to. */
export function linkOf(token: string): Link {
  return { tokenHash: hashInviteToken(token), mark: v.is(Uuid, token) ? token : undefined };
}

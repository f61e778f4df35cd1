import { createHash } from 'node:crypto';
import type { App } from '../app.ts';

const RANDOM_BYTES = 24;
const SHAPE = /^[A-Za-z0-9_-]{32}$/;

/** 192 random bits for a password link. */
export function newLinkToken(app: Pick<App, 'random'>): { token: string; tokenHash: Buffer } {
  const token = Buffer.from(app.random.bytes(RANDOM_BYTES)).toString('base64url');
  return { token, tokenHash: createHash('sha256').update(token).digest() };
}

/** The stored hash of a token. Undefined for an impossible token, which saves the query. */
export function hashLinkToken(token: string): Buffer | undefined {
  return SHAPE.test(token) ? createHash('sha256').update(token).digest() : undefined;
}

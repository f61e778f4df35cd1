import { createHash } from 'node:crypto';
import type { App } from '../app.ts';

const RANDOM_BYTES = 24;
const SHAPE = /^[A-Za-z0-9_-]{32}$/;

/** 192 bits that nobody guesses, for a link that opens an account once. */
export function newLinkToken(app: Pick<App, 'random'>): { token: string; tokenHash: Buffer } {
  const token = Buffer.from(app.random.bytes(RANDOM_BYTES)).toString('base64url');
  return { token, tokenHash: createHash('sha256').update(token).digest() };
}

/** By which the database knows a token; undefined for what cannot be one, so that it costs no query. */
export function hashLinkToken(token: string): Buffer | undefined {
  return SHAPE.test(token) ? createHash('sha256').update(token).digest() : undefined;
}

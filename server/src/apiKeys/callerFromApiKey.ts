import { createHash } from 'node:crypto';
import { API_KEY_START } from '@settee/protocol/model/apiKey';
import type { App } from '../platform/app.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import type { ApiKeyCaller } from '../platform/ports/caller.ts';
import { findApiKey, markApiKeyUsed } from './apiKeys.store.ts';

const RANDOM_BYTES = 32;
const SHAPE = new RegExp(`^${API_KEY_START}[A-Za-z0-9_-]{43}$`);
/** Enough to recognise a key, and far too little to guess the rest. */
const SHOWN_LENGTH = API_KEY_START.length + 6;

/** 256 random bits, so a plain hash is enough. */
export function newApiKey(app: Pick<App, 'random'>): { secret: string; keyHash: Buffer; prefix: string } {
  const secret = API_KEY_START + Buffer.from(app.random.bytes(RANDOM_BYTES)).toString('base64url');
  return { secret, keyHash: hashOf(secret), prefix: secret.slice(0, SHOWN_LENGTH) };
}

/** Reads the key at every request, so that a revoked one is refused at once, by every gateway. */
export async function callerFromApiKey(app: Pick<App, 'db'>, token: string): Promise<ApiKeyCaller> {
  const row = SHAPE.test(token) ? await findApiKey(app.db, hashOf(token)) : undefined;
  if (row === undefined) throw new Refusal('unauthenticated');
  const { keyId, scopes, usedRecently } = row;
  if (!usedRecently) await markApiKeyUsed(app.db, keyId);
  return { kind: 'key', keyId, scopes };
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

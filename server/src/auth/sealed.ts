import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import type { App } from '../app.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypted and bound to its owner: moved to another one, it does not open. */
export function seal(app: Pick<App, 'random'>, key: KeyObject, owner: string, text: string): Buffer {
  const nonce = app.random.bytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Undefined when it was sealed for another owner, or under none of these keys. */
export function unseal(keys: readonly KeyObject[], owner: string, stored: Buffer): string | undefined {
  for (const key of keys) {
    try {
      const decipher = createDecipheriv(CIPHER, key, stored.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(owner))
        .setAuthTag(stored.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const sealed = stored.subarray(NONCE_BYTES + TAG_BYTES);
      return decipher.update(sealed, undefined, 'utf8') + decipher.final('utf8');
    } catch {
      // The next key may fit.
    }
  }
  return undefined;
}

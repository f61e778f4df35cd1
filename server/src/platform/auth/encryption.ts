import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import type { App } from '../app.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts a text and binds it to its owner: it cannot be decrypted for another owner. */
export function encrypt(app: Pick<App, 'random'>, key: KeyObject, owner: string, text: string): Buffer {
  const nonce = app.random.bytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner));
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]);
}

/** Undefined when the owner is another one, or when no key fits. */
export function decrypt(keys: readonly KeyObject[], owner: string, stored: Buffer): string | undefined {
  const nonce = stored.subarray(0, NONCE_BYTES);
  const tag = stored.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const encrypted = stored.subarray(NONCE_BYTES + TAG_BYTES);
  for (const key of keys) {
    try {
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(owner))
        .setAuthTag(tag);
      return decipher.update(encrypted, undefined, 'utf8') + decipher.final('utf8');
    } catch {
      // Try the next key.
    }
  }
  return undefined;
}

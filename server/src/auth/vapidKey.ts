import { createECDH } from 'node:crypto';

const CURVE = 'prime256v1';
const KEY_BYTES = 32;

/** A P-256 private key as VAPID_PRIVATE_KEY takes it. */
export function makeVapidKey(): string {
  const ecdh = createECDH(CURVE);
  ecdh.generateKeys();
  // Leading zeros are part of the key, and OpenSSL leaves them out.
  return Buffer.concat([Buffer.alloc(KEY_BYTES), ecdh.getPrivateKey()])
    .subarray(-KEY_BYTES)
    .toString('base64url');
}

/** What browsers subscribe with. Undefined for what is no key: zero, or beyond the curve's order. */
export function vapidPublicKey(privateKey: string): string | undefined {
  const ecdh = createECDH(CURVE);
  try {
    ecdh.setPrivateKey(privateKey, 'base64url');
    return ecdh.getPublicKey('base64url');
  } catch {
    return undefined;
  }
}

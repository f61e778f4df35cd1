import { createECDH } from 'node:crypto';

const CURVE = 'prime256v1';
const KEY_BYTES = 32;

/** A new P-256 private key in the format of VAPID_PRIVATE_KEY. */
export function makeVapidKey(): string {
  const ecdh = createECDH(CURVE);
  ecdh.generateKeys();
  // OpenSSL omits leading zeros, which are part of the key.
  return Buffer.concat([Buffer.alloc(KEY_BYTES), ecdh.getPrivateKey()])
    .subarray(-KEY_BYTES)
    .toString('base64url');
}

/** The key that browsers subscribe with. Undefined for an invalid key: zero, or beyond the curve's order. */
export function vapidPublicKey(privateKey: string): string | undefined {
  const ecdh = createECDH(CURVE);
  try {
    ecdh.setPrivateKey(privateKey, 'base64url');
    return ecdh.getPublicKey('base64url');
  } catch {
    return undefined;
  }
}

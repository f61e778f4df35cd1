import { createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';

type Purpose =
  | 'id token'
  | 'visitor cookie'
  | 'visitor secret'
  | 'continue code'
  | 'next continue code'
  | 'device id'
  | 'known browser'
  | 'single sign-on'
  | 'media address'
  | 'ticket'
  | 'password mark'
  | 'totp secret'
  | 'recovery code'
  | 'webhook secret'
  | 'setup code'
  | 'audit anchor'
  | 'backup check'
  | 'backup manifest'
  | 'secret check'
  | 'doctor'
  | 'older keys'
  | 'address in the security log'
  | 'mail address'
  | 'mail code'
  | 'mail content'
  | 'mail limit'
  | 'mail unsubscribe';

/** Stored keyed hashes cannot be recomputed, so their keys are kept after SECRET changed. */
export const HASH_PURPOSES = [
  'recovery code',
  'continue code',
  'next continue code',
  'mail unsubscribe',
] as const satisfies Purpose[];
export type OlderKeys = Partial<Record<Purpose, readonly KeyObject[]>>;

type Secrets = { secret: string; secretPrevious?: string; olderKeys?: OlderKeys };

const KEY_BYTES = 32;
const cache = new Map<string, KeyObject>();

/** Derives one key per purpose from SECRET, so that a signature for one purpose is invalid for every other. */
export function keyFor(config: { secret: string }, purpose: Purpose): KeyObject {
  const id = `${purpose}\n${config.secret}`;
  const known = cache.get(id);
  if (known !== undefined) return known;
  const bytes = hkdfSync('sha256', config.secret, '', `settee/${purpose}`, KEY_BYTES);
  const key = createSecretKey(new Uint8Array(bytes));
  cache.set(id, key);
  return key;
}

/** All keys that verify: the current one, the one from SECRET_PREVIOUS, and the older keys. */
export function keysFor(config: Secrets, purpose: Purpose): KeyObject[] {
  const { secretPrevious, olderKeys } = config;
  return [
    keyFor(config, purpose),
    ...(secretPrevious === undefined ? [] : [keyFor({ secret: secretPrevious }, purpose)]),
    ...(olderKeys?.[purpose] ?? []),
  ];
}

/** Whether one of these keys makes this signature. */
export function isSigned(
  keys: readonly KeyObject[],
  given: string | Buffer,
  sign: (key: KeyObject) => string | Buffer,
): boolean {
  const bytes = Buffer.from(given);
  return keys.some((key) => {
    const expected = Buffer.from(sign(key));
    return bytes.length === expected.length && timingSafeEqual(bytes, expected);
  });
}

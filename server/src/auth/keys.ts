import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

type Purpose =
  | 'id token'
  | 'visitor cookie'
  | 'visitor secret'
  | 'continue code'
  | 'next continue code'
  | 'device id'
  | 'media address'
  | 'ticket'
  | 'password mark'
  | 'totp secret'
  | 'recovery code'
  | 'setup code'
  | 'backup check'
  | 'secret check'
  | 'older keys';

/** What is stored as a keyed hash cannot be hashed again: its keys are kept after SECRET was changed. */
export const HASH_PURPOSES = [
  'recovery code',
  'continue code',
  'next continue code',
] as const satisfies Purpose[];
export type OlderKeys = Partial<Record<Purpose, readonly KeyObject[]>>;

type Secrets = { secret: string; secretPrevious?: string; olderKeys?: OlderKeys };

const KEY_BYTES = 32;
const made = new Map<string, KeyObject>();

/** One key per purpose out of the one SECRET, so that nothing signed for one is ever valid for another. */
export function keyFor(config: { secret: string }, purpose: Purpose): KeyObject {
  const id = `${purpose}\n${config.secret}`;
  const known = made.get(id);
  if (known !== undefined) return known;
  const bytes = hkdfSync('sha256', config.secret, '', `settee/${purpose}`, KEY_BYTES);
  const key = createSecretKey(new Uint8Array(bytes));
  made.set(id, key);
  return key;
}

/** All keys that verify: the present one first, then that of SECRET_PREVIOUS and those that were kept. */
export function keysFor(config: Secrets, purpose: Purpose): KeyObject[] {
  const { secretPrevious, olderKeys } = config;
  return [
    keyFor(config, purpose),
    ...(secretPrevious === undefined ? [] : [keyFor({ secret: secretPrevious }, purpose)]),
    ...(olderKeys?.[purpose] ?? []),
  ];
}

import { createHmac, type KeyObject } from 'node:crypto';
import { RECOVERY_ALPHABET, RECOVERY_CODE_LENGTH, RECOVERY_CODES } from '@settee/protocol/model/secondFactor';
import type { App } from '../../platform/app.ts';
import { keyFor, keysFor } from '../../platform/config/keys.ts';

const GROUP = /.{4}(?=.)/g;

/** New codes for a person to keep, and their hashes for the database. */
export function newRecoveryCodes(
  app: Pick<App, 'config' | 'random'>,
  staffId: string,
): { codes: string[]; hashes: Buffer[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    Array.from(
      { length: RECOVERY_CODE_LENGTH },
      () => RECOVERY_ALPHABET[app.random.below(RECOVERY_ALPHABET.length)],
    ).join(''),
  );
  return {
    codes: codes.map((code) => code.replaceAll(GROUP, '$&-')),
    hashes: codes.map((code) => hashWith(keyFor(app.config, 'recovery code'), staffId, code)),
  };
}

/** All hashes under which the table may store the code: the key changes with SECRET. */
export function recoveryHashes(app: Pick<App, 'config'>, staffId: string, code: string): Buffer[] {
  return keysFor(app.config, 'recovery code').map((key) => hashWith(key, staffId, code));
}

/** Codes are random, so a fast hash is enough. The key prevents guessing with a stolen table. */
function hashWith(key: KeyObject, staffId: string, code: string): Buffer {
  return createHmac('sha256', key).update(`${staffId} ${code}`).digest();
}

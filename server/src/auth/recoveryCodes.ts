import { createHmac, type KeyObject } from 'node:crypto';
import { RECOVERY_ALPHABET, RECOVERY_CODE_LENGTH, RECOVERY_CODES } from '@settee/protocol/model/secondFactor';
import type { App } from '../app.ts';
import { keyFor, keysFor } from './keys.ts';

const GROUP = /.{4}(?=.)/g;

/** Ten codes as a person keeps them, and the hashes by which the database knows them. */
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

/** How the table may have it: under the present key, or under one from before SECRET changed. */
export function recoveryHashes(app: Pick<App, 'config'>, staffId: string, code: string): Buffer[] {
  return keysFor(app.config, 'recovery code').map((key) => hashWith(key, staffId, code));
}

/** They are random, so no slow hash is needed; the key keeps who stole the table from trying any. */
function hashWith(key: KeyObject, staffId: string, code: string): Buffer {
  return createHmac('sha256', key).update(`${staffId} ${code}`).digest();
}

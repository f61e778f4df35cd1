import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { keyFor } from '../../platform/config/keys.ts';

/** Crockford's alphabet: no letter looks like another letter or a digit. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 16;
const GROUP = 4;

/**
 * The code that makes the operator the first administrator: 80 bits derived from SECRET and the installation's id.
 * All gateways print the same code. It is not stored.
 */
export function setupCode(config: { secret: string }, installationId: string): string {
  const bytes = createHmac('sha256', keyFor(config, 'setup code')).update(installationId).digest();
  const letters = [...bytes.subarray(0, LENGTH)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
  return letters.replaceAll(new RegExp(`.{${GROUP}}(?!$)`, 'g'), '$&-');
}

/** In constant time. */
export function isSetupCode(given: string, right: string): boolean {
  return timingSafeEqual(digest(normalize(given)), digest(normalize(right)));
}

/** Accepts what people type: lower case, no dashes, O for 0. */
function normalize(code: string): string {
  return code
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { keyFor } from './keys.ts';

/** Crockford's: no letter that can be read as another letter or as a digit. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 16;
const GROUP = 4;

/**
 * The code by which whoever runs the installation becomes its first administrator: 80 bits out of SECRET and the
 * database's own id. All gateways print the same one; nothing of it is stored.
 */
export function setupCode(config: { secret: string }, installationId: string): string {
  const bytes = createHmac('sha256', keyFor(config, 'setup code')).update(installationId).digest();
  const letters = [...bytes.subarray(0, LENGTH)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
  return letters.replaceAll(new RegExp(`.{${GROUP}}(?!$)`, 'g'), '$&-');
}

/** In a time that does not tell how much of it is right. */
export function isSetupCode(given: string, right: string): boolean {
  return timingSafeEqual(digest(plain(given)), digest(plain(right)));
}

/** As people type it: without dashes, in small letters, with an O for a 0. */
function plain(code: string): string {
  return code
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

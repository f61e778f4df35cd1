import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { CONTINUE_CODE_LENGTH } from '@settee/protocol/model/invite';
import type { App } from '../platform/app.ts';
import { keyFor, keysFor } from '../platform/config/keys.ts';

type Deps = Pick<App, 'config'>;

/** A code as the database stores it: its hash, and the number it was derived from. */
export type StoredCode = { codeHash: Buffer; codeNumber: number };

/**
 * The next code of an invite. It is derived from a secret that is not in the database. So any gateway can show the first
 * device the current code, and a stolen table reveals nothing. It always differs from the code before it.
 */
export function nextCode(
  app: Deps,
  inviteId: string,
  before: { codeHash: Buffer | null; codeNumber: number },
): StoredCode & { code: string } {
  for (let codeNumber = before.codeNumber + 1; ; codeNumber++) {
    const code = codeWith(keyFor(app.config, 'next continue code'), inviteId, codeNumber);
    const codeHash = hashWith(keyFor(app.config, 'continue code'), inviteId, code);
    if (before.codeHash === null || !codeHash.equals(before.codeHash)) return { code, codeHash, codeNumber };
  }
}

/** The code that works now. Null when an earlier release chose it at random: then it cannot be derived. */
export function currentCode(app: Deps, inviteId: string, stored: StoredCode): string | null {
  const { codeHash, codeNumber } = stored;
  const codes = keysFor(app.config, 'next continue code').map((key) => codeWith(key, inviteId, codeNumber));
  return codes.find((code) => codeMatches(app, { inviteId, codeHash }, code)) ?? null;
}

export function codeMatches(
  app: Deps,
  invite: { inviteId: string; codeHash: Buffer },
  code: string,
): boolean {
  return keysFor(app.config, 'continue code').some((key) => {
    const given = hashWith(key, invite.inviteId, code);
    return given.length === invite.codeHash.length && timingSafeEqual(given, invite.codeHash);
  });
}

/** The hash of the same code for a cell with another SECRET. Null if the code cannot be derived. */
export function hashForCell(from: Deps, to: Deps, inviteId: string, stored: StoredCode): Buffer | null {
  const code = currentCode(from, inviteId, stored);
  return code === null ? null : hashWith(keyFor(to.config, 'continue code'), inviteId, code);
}

function codeWith(key: KeyObject, inviteId: string, codeNumber: number): string {
  const digest = createHmac('sha256', key).update(`${inviteId} ${codeNumber}`).digest();
  return String(digest.readUIntBE(0, 6) % 10 ** CONTINUE_CODE_LENGTH).padStart(CONTINUE_CODE_LENGTH, '0');
}

function hashWith(key: KeyObject, inviteId: string, code: string): Buffer {
  return createHmac('sha256', key).update(`${inviteId} ${code}`).digest();
}

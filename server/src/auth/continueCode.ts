import { createHmac, timingSafeEqual } from 'node:crypto';
import { CONTINUE_CODE_LENGTH } from '@settee/protocol/invite';
import type { App } from '../app.ts';
import { keyFor } from './keys.ts';

export function newContinueCode(app: Pick<App, 'random'>): string {
  return String(app.random.below(10 ** CONTINUE_CODE_LENGTH)).padStart(CONTINUE_CODE_LENGTH, '0');
}

/** Under a key that is not in the database: ten thousand codes are no work for who stole the table alone. */
export function hashContinueCode(app: Pick<App, 'config'>, inviteId: string, code: string): Buffer {
  return createHmac('sha256', keyFor(app.config, 'continue code')).update(`${inviteId} ${code}`).digest();
}

export function codeMatches(
  app: Pick<App, 'config'>,
  invite: { inviteId: string; codeHash: Buffer },
  code: string,
): boolean {
  const given = hashContinueCode(app, invite.inviteId, code);
  return given.length === invite.codeHash.length && timingSafeEqual(given, invite.codeHash);
}

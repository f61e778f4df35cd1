import { accountTexts } from '@settee/protocol/texts/accountTexts';
import type { App } from '../../platform/app.ts';
import { Refusal } from '../../platform/auth/refusal.ts';
import { audited } from '../../platform/db/audited.ts';
import type { Staff } from '../../platform/ports/caller.ts';
import { deletePasskey } from '../passkeys.store.ts';
import { deleteTotp, hasFactor, putTotp, replaceRecoveryCodes } from '../secondFactors.store.ts';
import { signTicket } from '../tickets.ts';
import {
  onFactorAdded,
  onFactorRemoved,
  redeemTicket,
  requireOwnAccount,
  requireTicket,
} from './factorRules.ts';
import { newRecoveryCodes } from './recoveryCodes.ts';
import { encryptTotpSecret, newTotp, totpStep } from './totp.ts';

/** Creates a secret for an authenticator app. Nothing is stored until a code confirms it. */
export async function beginTotp(
  app: App,
  staff: Staff,
): Promise<{ secret: string; uri: string; ticket: string }> {
  const { account } = await app.db.transaction((db) => requireOwnAccount(db, staff));
  const { secret, uri } = newTotp(app, account.email);
  return { secret, uri, ticket: await signTicket(app, 'totp', account, secret) };
}

/** Enables the authenticator app. Returns recovery codes with the first factor. */
export async function confirmTotp(
  app: App,
  staff: Staff,
  given: { ticket: string; code: string },
): Promise<string[] | null> {
  const { staffId } = staff;
  const ticket = await requireTicket(app, 'totp', given.ticket);
  const step = totpStep(app, ticket.memo, given.code);
  if (step === undefined) throw new Refusal('code_invalid');
  return audited(app, staff, async (db, record) => {
    const { account, factors } = await requireOwnAccount(db, staff);
    await redeemTicket(app, db, ticket, account);
    await putTotp(db, { staffId, secret: encryptTotpSecret(app, staffId, ticket.memo), step });
    const fresh = await onFactorAdded(app, db, staff, factors);
    const details = { method: 'totp', ...(factors.totpSince !== null && { replaced: true }) };
    record('factor.add', staffId, details);
    return fresh;
  });
}

export async function removeFactor(
  app: App,
  staff: Staff,
  factor: { method: 'totp' } | { method: 'passkey'; id: string },
): Promise<void> {
  const { staffId } = staff;
  await audited(app, staff, async (db, record) => {
    const { account } = await requireOwnAccount(db, staff);
    const name = factor.method === 'passkey' ? await deletePasskey(db, { ...factor, staffId }) : undefined;
    const gone = factor.method === 'totp' ? await deleteTotp(db, staffId) : name !== undefined;
    if (!gone) throw new Refusal('not_found', accountTexts.factorGone);
    await onFactorRemoved(app, db, account);
    record('factor.remove', staffId, { method: factor.method, ...(name !== undefined && { name }) });
  });
}

export async function renewRecoveryCodes(app: App, staff: Staff): Promise<string[]> {
  const { staffId } = staff;
  const { codes, hashes } = newRecoveryCodes(app, staffId);
  await audited(app, staff, async (db, record) => {
    const { factors } = await requireOwnAccount(db, staff);
    if (!hasFactor(factors)) throw new Refusal('bad_request', accountTexts.noFactorYet);
    await replaceRecoveryCodes(db, staffId, hashes);
    record('recovery.renew', staffId);
  });
  return codes;
}

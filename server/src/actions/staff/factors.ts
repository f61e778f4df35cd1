import { accountTexts } from '@settee/protocol/texts/accountTexts';
import type { App } from '../../app.ts';
import { clearFactorFailures } from '../../auth/rateLimits.ts';
import { newRecoveryCodes } from '../../auth/recoveryCodes.ts';
import { Refusal } from '../../auth/refusal.ts';
import { signTicket } from '../../auth/tickets.ts';
import { encryptTotpSecret, newTotp, totpStep } from '../../auth/totp.ts';
import type { Staff } from '../../caller.ts';
import { type Audited, audited } from '../../db/audit/audited.ts';
import { endSessionsOf } from '../../db/staff/ownSessions.ts';
import { deletePasskey } from '../../db/staff/passkeys.ts';
import {
  deleteFactors,
  deleteTotp,
  hasFactor,
  putTotp,
  readFactors,
  replaceRecoveryCodes,
} from '../../db/staff/secondFactors.ts';
import {
  onFactorAdded,
  onFactorRemoved,
  redeemTicket,
  requireOwnAccount,
  requireTicket,
} from './factorRules.ts';
import { type Actor, requireOtherPerson, requirePerson, requireRecentProof } from './peopleRules.ts';

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

/**
 * Removes all factors and recovery codes and ends all sessions, for a person who lost them. The password alone works
 * until they set up a new factor.
 */
export async function resetFactor(
  app: Audited & Pick<App, 'config'>,
  staffId: string,
  actor: Actor,
): Promise<void> {
  await audited(app, actor, async (db, record) => {
    await requirePerson(db, actor, staffId);
    await requireRecentProof(db, actor);
    const had = hasFactor(await readFactors(db, staffId));
    await deleteFactors(db, staffId);
    await endSessionsOf(db, staffId);
    record('factor.reset', staffId, { had });
  });
  await clearFactorFailures(app, staffId);
}

/** By an administrator, for another person. Own factors are removed in the own settings. */
export async function resetFactorByAdmin(app: App, staff: Staff, id: string): Promise<void> {
  requireOtherPerson(staff, id);
  await resetFactor(app, id, staff);
}

import { accountTexts } from '@settee/protocol/texts/accountTexts';
import type { App } from '../../app.ts';
import { clearFactorFailures } from '../../auth/rateLimits.ts';
import { newRecoveryCodes } from '../../auth/recoveryCodes.ts';
import { Refusal } from '../../auth/refusal.ts';
import { signTicket } from '../../auth/tickets.ts';
import { encryptTotpSecret, newTotp, totpStep } from '../../auth/totp.ts';
import type { Staff } from '../../caller.ts';
import { insertAudit } from '../../db/audit/audit.ts';
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
  lockOwnAccount,
  onFactorAdded,
  onFactorRemoved,
  redeemTicket,
  requireTicket,
} from './factorRules.ts';
import { type Actor, actorId, lockPerson, requireOtherPerson, requireRecentProof } from './peopleRules.ts';

/** Creates a secret for an authenticator app. Nothing is stored until a code confirms it. */
export async function beginTotp(
  app: App,
  staff: Staff,
): Promise<{ secret: string; uri: string; ticket: string }> {
  const { account } = await app.db.transaction((db) => lockOwnAccount(db, staff));
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
  const codes = await app.db.transaction(async (db) => {
    const { account, factors } = await lockOwnAccount(db, staff);
    await redeemTicket(app, db, ticket, account);
    await putTotp(db, { staffId, secret: encryptTotpSecret(app, staffId, ticket.memo), step });
    const fresh = await onFactorAdded(app, db, staff, factors);
    const details = { method: 'totp', ...(factors.totpSince !== null && { replaced: true }) };
    await insertAudit(db, { actor: staffId, action: 'factor.add', target: staffId, details });
    return fresh;
  });
  app.announce.accessChanged();
  return codes;
}

export async function removeFactor(
  app: App,
  staff: Staff,
  factor: { method: 'totp' } | { method: 'passkey'; id: string },
): Promise<void> {
  const { staffId } = staff;
  await app.db.transaction(async (db) => {
    const { account } = await lockOwnAccount(db, staff);
    const name = factor.method === 'passkey' ? await deletePasskey(db, { ...factor, staffId }) : undefined;
    const gone = factor.method === 'totp' ? await deleteTotp(db, staffId) : name !== undefined;
    if (!gone) throw new Refusal('not_found', accountTexts.factorGone);
    await onFactorRemoved(app, db, account);
    const details = { method: factor.method, ...(name !== undefined && { name }) };
    await insertAudit(db, { actor: staffId, action: 'factor.remove', target: staffId, details });
  });
  app.announce.accessChanged();
}

export async function renewRecoveryCodes(app: App, staff: Staff): Promise<string[]> {
  const { staffId } = staff;
  const { codes, hashes } = newRecoveryCodes(app, staffId);
  await app.db.transaction(async (db) => {
    const { factors } = await lockOwnAccount(db, staff);
    if (!hasFactor(factors)) throw new Refusal('bad_request', accountTexts.noFactorYet);
    await replaceRecoveryCodes(db, staffId, hashes);
    await insertAudit(db, { actor: staffId, action: 'recovery.renew', target: staffId });
  });
  return codes;
}

/**
 * Removes all factors and recovery codes and ends all sessions, for a person who lost them. The password alone works
 * until they set up a new factor.
 */
export async function resetFactor(
  app: Pick<App, 'config' | 'db'>,
  staffId: string,
  actor: Actor,
): Promise<void> {
  await app.db.transaction(async (db) => {
    await lockPerson(db, actor, staffId);
    await requireRecentProof(db, actor);
    const had = hasFactor(await readFactors(db, staffId));
    await deleteFactors(db, staffId);
    await endSessionsOf(db, staffId);
    await insertAudit(db, {
      actor: actorId(actor),
      action: 'factor.reset',
      target: staffId,
      details: { had },
    });
  });
  await clearFactorFailures(app, staffId);
}

/** By an administrator, for another person. Own factors are removed in the own settings. */
export async function resetFactorByAdmin(app: App, staff: Staff, id: string): Promise<void> {
  requireOtherPerson(staff, id);
  await resetFactor(app, id, staff);
  app.announce.accessChanged();
}

import type { FactorProof, SecondFactorAsked } from '@settee/protocol/model/secondFactor';
import type { App } from '../../platform/app.ts';
import {
  allowSecondFactor,
  allowSignIn,
  allowWaitingSignIn,
  recordSecondFactorSuccess,
  recordSignInSuccess,
} from '../../platform/auth/rateLimits.ts';
import { Refusal } from '../../platform/auth/refusal.ts';
import { audited } from '../../platform/db/audited.ts';
import type { SessionOrigin } from '../../platform/ports/caller.ts';
import { recoveryHashes } from '../account/recoveryCodes.ts';
import { decryptTotpSecret, totpStep } from '../account/totp.ts';
import { passkeyRequestOptions, verifyPasskeyRequest } from '../account/webAuthn.ts';
import { type AccountRow, lockAccountShared } from '../accounts.store.ts';
import { hasValidRole } from '../callers.ts';
import { listPasskeys, usePasskey } from '../passkeys.store.ts';
import { passwordMatches } from '../passwords.ts';
import {
  type Factors,
  findTotpSecret,
  hasFactor,
  readFactors,
  spendTicket,
  useRecoveryCode,
  useTotpStep,
} from '../secondFactors.store.ts';
import { auditFailedSignIn, type OpenedSession, openSession, signOutStaff } from '../sessions.ts';
import { findAccount, startGracePeriod } from '../staff.store.ts';
import { readTicket, signTicket, ticketMatches } from '../tickets.ts';
import { clearStrangerFailures, delayStranger } from './strangerDelay.ts';

/**
 * Opens a session, or asks for the second factor. A wrong password and an unknown address give the same answer in the
 * same time.
 */
export async function signInStaff(
  app: App,
  attempt: {
    email: string;
    password: string;
    address: string;
    /** The id of a browser in which this account signed in before. */
    browser?: string | undefined;
    origin: SessionOrigin;
    replaces?: Buffer | undefined;
  },
): Promise<OpenedSession | { asked: SecondFactorAsked }> {
  await allowSignIn(app, attempt);
  const wait = attempt.browser === undefined ? await delayStranger(app, attempt) : undefined;
  if (wait !== undefined && !(await allowWaitingSignIn(app, attempt))) throw wait;
  const found = await findAccount(app.db, attempt.email);
  const passkeys = wait && found ? await listPasskeys(app.db, found.id) : [];
  const matches = await passwordMatches(found?.passwordHash, attempt.password);
  // The password of an account with a passkey opens nothing alone, so its owner need not wait. All others get one answer.
  if (wait !== undefined && !(matches && found?.active && passkeys.length > 0)) throw wait;
  if (found === undefined || !matches || !found.active) {
    if (found !== undefined) auditFailedSignIn(app, found.id, 'password');
    throw new Refusal('sign_in_failed');
  }
  if (wait === undefined) {
    await recordSignInSuccess(app, attempt);
    if (attempt.browser === undefined) await clearStrangerFailures(app, attempt);
  }

  await startGracePeriod(app.db, found.id);

  // Ends the previous session of this browser, even if the new account has no access.
  if (attempt.replaces !== undefined) await signOutStaff(app, attempt.replaces);

  const next = await audited(app, found.id, async (db, record) => {
    const account = await lockAccountShared(db, found.id);
    // Sessions of this account may have been ended meanwhile.
    if (!account?.active || account.passwordHash !== found.passwordHash) throw new Refusal('sign_in_failed');
    if (!hasValidRole(account)) throw new Refusal('access_denied');
    const factors = await readFactors(db, account.id);
    // The passkey was removed meanwhile.
    if (wait !== undefined && factors.passkeys === 0) throw wait;
    if (!hasFactor(factors)) {
      const { origin } = attempt;
      return openSession(app, db, record, account, {
        method: 'password',
        proof: { secondFactor: false, recent: true },
        origin,
      });
    }
    // A correct password is audited, even if the second step never follows.
    record('staff.passwordShown', account.id);
    return { account, factors };
  });
  if (!('factors' in next)) return next;
  const purpose = wait === undefined ? 'sign-in' : 'sign-in with a passkey';
  return { asked: await askSecondFactor(app, next.account, next.factors, purpose) };
}

/** For the second step of a sign-in. */
export async function askSecondFactor(
  app: App,
  account: AccountRow,
  factors: Factors,
  purpose: 'sign-in' | 'sign-in with a passkey' = 'sign-in',
): Promise<SecondFactorAsked> {
  const known = await listPasskeys(app.db, account.id);
  const passkey = known.length > 0 ? await passkeyRequestOptions(app, known) : undefined;
  const methods: SecondFactorAsked['methods'] = [];
  const takesAny = purpose === 'sign-in';
  if (takesAny && factors.totpSince !== null) methods.push('totp');
  if (passkey !== undefined) methods.push('passkey');
  if (takesAny && factors.recoveryCodes > 0) methods.push('recovery');
  const ticket = await signTicket(app, purpose, account, passkey?.challenge ?? '');
  return { ticket, methods, ...(passkey && { passkey }) };
}

/** The second step of a sign-in: the ticket proves the password, the proof is the second factor. */
export async function confirmSignIn(
  app: App,
  attempt: {
    ticket: string;
    proof: FactorProof;
    address: string;
    origin: SessionOrigin;
    replaces?: Buffer | undefined;
  },
): Promise<OpenedSession> {
  const { proof, address } = attempt;
  const ticket =
    (await readTicket(app, 'sign-in', attempt.ticket)) ??
    (proof.method === 'passkey'
      ? await readTicket(app, 'sign-in with a passkey', attempt.ticket)
      : undefined);
  if (ticket === undefined) throw new Refusal('sign_in_failed');
  const { staffId } = ticket;
  await allowSecondFactor(app, { staffId, address, guessable: proof.method !== 'passkey' });

  const use = await checkProof(app, staffId, ticket.memo, proof);
  const opened = await audited(app, staffId, async (db, record) => {
    const account = await lockAccountShared(db, staffId);
    if (!account?.active || !ticketMatches(app, ticket, account)) throw new Refusal('sign_in_failed');
    if (!hasValidRole(account)) throw new Refusal('access_denied');
    if (!(await use?.(db))) return undefined;
    if (!(await spendTicket(db, ticket))) throw new Refusal('sign_in_failed');
    const session = await openSession(app, db, record, account, {
      method: proof.method,
      proof: { secondFactor: true, recent: true },
      origin: attempt.origin,
    });
    if (proof.method === 'recovery') record('recovery.use', staffId);
    return session;
  });
  if (opened === undefined) {
    auditFailedSignIn(app, staffId, proof.method);
    throw new Refusal('second_factor_failed');
  }
  await recordSecondFactorSuccess(app, { staffId, address });
  // Someone may have signed in here between the two steps.
  if (attempt.replaces !== undefined) await signOutStaff(app, attempt.replaces);
  return opened;
}

/** Redeems a proof. Returns false if it was used before. */
type Use = (db: Parameters<typeof useTotpStep>[0]) => Promise<boolean>;

/** Returns how to redeem the proof in the session's transaction; undefined if the proof is invalid. */
async function checkProof(
  app: App,
  staffId: string,
  challenge: string,
  proof: FactorProof,
): Promise<Use | undefined> {
  switch (proof.method) {
    case 'totp': {
      const stored = await findTotpSecret(app.db, staffId);
      const secret = stored && decryptTotpSecret(app, staffId, stored);
      const step = secret && totpStep(app, secret, proof.code);
      if (!stored || !step) return undefined;
      return (db) => useTotpStep(db, { staffId, secret: stored, step });
    }
    case 'recovery': {
      const hashes = recoveryHashes(app, staffId, proof.code);
      return (db) => useRecoveryCode(db, staffId, hashes);
    }
    case 'passkey': {
      const known = await listPasskeys(app.db, staffId);
      const passkey = known.find(({ credentialId }) => credentialId === proof.response.id);
      const counter = passkey && (await verifyPasskeyRequest(app, passkey, proof.response, challenge));
      if (passkey === undefined || counter === undefined) return undefined;
      return (db) => usePasskey(db, passkey.id, counter);
    }
  }
}

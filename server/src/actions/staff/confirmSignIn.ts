import type { FactorProof } from '@settee/protocol/model/secondFactor';
import type { App } from '../../app.ts';
import { hasValidRole } from '../../auth/callers.ts';
import { allowSecondFactor, recordSecondFactorSuccess } from '../../auth/rateLimits.ts';
import { Refusal } from '../../auth/refusal.ts';
import { readTicket, ticketMatches } from '../../auth/tickets.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import { holdAccount } from '../../db/staff/accounts.ts';
import { spendTicket } from '../../db/staff/secondFactors.ts';
import { checkProof } from './checkProof.ts';
import { noteFailedSignIn, type Opened, openSession } from './openSession.ts';
import { signOutStaff } from './signOutStaff.ts';

/** The second step of a sign-in: the ticket stands for the password, the proof for something that its owner has. */
export async function confirmSignIn(
  app: App,
  attempt: { ticket: string; proof: FactorProof; address: string; replaces?: Buffer | undefined },
): Promise<Opened> {
  const { proof, address } = attempt;
  const ticket = await readTicket(app, 'sign-in', attempt.ticket);
  if (ticket === undefined) throw new Refusal('sign_in_failed');
  const { staffId } = ticket;
  await allowSecondFactor(app, { staffId, address, guessable: proof.method !== 'passkey' });

  const use = await checkProof(app, staffId, ticket.memo, proof);
  const opened = await app.db.sql.transaction().execute(async (db) => {
    const account = await holdAccount(db, staffId);
    if (!account?.active || !ticketMatches(app, ticket, account)) throw new Refusal('sign_in_failed');
    if (!hasValidRole(account)) throw new Refusal('access_denied');
    if (!(await use?.(db))) return undefined;
    if (!(await spendTicket(db, ticket))) throw new Refusal('sign_in_failed');
    const session = await openSession(app, db, account, proof.method);
    if (proof.method === 'recovery') {
      await insertAudit(db, { actor: staffId, action: 'recovery.use', target: staffId });
    }
    return session;
  });
  if (opened === undefined) {
    noteFailedSignIn(app, staffId, proof.method);
    throw new Refusal('second_factor_failed');
  }
  app.announce.managementChanged('audit');
  await recordSecondFactorSuccess(app, { staffId, address });
  // Somebody may have signed in here between the two steps.
  if (attempt.replaces !== undefined) await signOutStaff(app, attempt.replaces);
  return opened;
}

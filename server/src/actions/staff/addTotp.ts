import type { App } from '../../app.ts';
import { Refusal } from '../../auth/refusal.ts';
import { signTicket } from '../../auth/tickets.ts';
import { encryptTotpSecret, newTotp, totpStep } from '../../auth/totp.ts';
import type { Staff } from '../../caller.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import { putTotp } from '../../db/staff/secondFactors.ts';
import {
  accountToChange,
  afterAdding,
  announceFactorChange,
  spendTicketOf,
  ticketOf,
} from './factorRules.ts';

/** A secret that its owner is shown and brings back with the ticket: nothing is stored before a code proves it. */
export async function beginTotp(
  app: App,
  staff: Staff,
): Promise<{ secret: string; uri: string; ticket: string }> {
  const { account } = await app.db.sql.transaction().execute((db) => accountToChange(db, staff));
  const { secret, uri } = newTotp(app, account.email);
  return { secret, uri, ticket: await signTicket(app, 'totp', account, secret) };
}

/** From here on codes of the app open the account. Answers the recovery codes, with the first factor. */
export async function confirmTotp(
  app: App,
  staff: Staff,
  given: { ticket: string; code: string },
): Promise<string[] | null> {
  const { staffId } = staff;
  const ticket = await ticketOf(app, 'totp', given.ticket);
  const step = totpStep(app, ticket.memo, given.code);
  if (step === undefined) throw new Refusal('code_invalid');
  const codes = await app.db.sql.transaction().execute(async (db) => {
    const { account, factors } = await accountToChange(db, staff);
    await spendTicketOf(app, db, ticket, account);
    await putTotp(db, { staffId, secret: encryptTotpSecret(app, staffId, ticket.memo), step });
    const fresh = await afterAdding(app, db, staff, factors);
    const details = { method: 'totp', ...(factors.totpSince !== null && { replaced: true }) };
    await insertAudit(db, { actor: staffId, action: 'factor.add', target: staffId, details });
    return fresh;
  });
  announceFactorChange(app);
  return codes;
}

import { accountTexts } from '@settee/protocol/texts/accountTexts';
import type { App } from '../../app.ts';
import { Refusal } from '../../auth/refusal.ts';
import type { Staff } from '../../caller.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import { deletePasskey } from '../../db/staff/passkeys.ts';
import { deleteTotp } from '../../db/staff/secondFactors.ts';
import { accountToChange, afterRemoving, announceFactorChange } from './factorRules.ts';

/** The app, or one passkey. */
export async function removeFactor(
  app: App,
  staff: Staff,
  factor: { method: 'totp' } | { method: 'passkey'; id: string },
): Promise<void> {
  const { staffId } = staff;
  await app.db.sql.transaction().execute(async (db) => {
    const { account } = await accountToChange(db, staff);
    const name = factor.method === 'passkey' ? await deletePasskey(db, { ...factor, staffId }) : undefined;
    const gone = factor.method === 'totp' ? await deleteTotp(db, staffId) : name !== undefined;
    if (!gone) throw new Refusal('not_found', accountTexts.factorGone);
    await afterRemoving(app, db, account);
    const details = { method: factor.method, ...(name !== undefined && { name }) };
    await insertAudit(db, { actor: staffId, action: 'factor.remove', target: staffId, details });
  });
  announceFactorChange(app);
}

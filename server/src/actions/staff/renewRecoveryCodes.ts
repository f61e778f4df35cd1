import { accountTexts } from '@settee/protocol/texts/accountTexts';
import type { App } from '../../app.ts';
import { newRecoveryCodes } from '../../auth/recoveryCodes.ts';
import { Refusal } from '../../auth/refusal.ts';
import type { Staff } from '../../caller.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import { hasFactor, replaceRecoveryCodes } from '../../db/staff/secondFactors.ts';
import { accountToChange } from './factorRules.ts';

/** Ten new ones; those from before open nothing any more. */
export async function renewRecoveryCodes(app: App, staff: Staff): Promise<string[]> {
  const { staffId } = staff;
  const { codes, hashes } = newRecoveryCodes(app, staffId);
  await app.db.sql.transaction().execute(async (db) => {
    const { factors } = await accountToChange(db, staff);
    if (!hasFactor(factors)) throw new Refusal('bad_request', accountTexts.noFactorYet);
    await replaceRecoveryCodes(db, staffId, hashes);
    await insertAudit(db, { actor: staffId, action: 'recovery.renew', target: staffId });
  });
  return codes;
}

import { accountTexts } from '@settee/protocol/texts/accountTexts';
import type { App } from '../../app.ts';
import { Refusal } from '../../auth/refusal.ts';
import type { Staff } from '../../caller.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import { renamePasskeyRow } from '../../db/staff/passkeys.ts';

export async function renamePasskey(
  app: App,
  { staffId }: Staff,
  passkey: { id: string; name: string },
): Promise<void> {
  const { name } = passkey;
  await app.db.sql.transaction().execute(async (db) => {
    if (!(await renamePasskeyRow(db, { ...passkey, staffId }))) {
      throw new Refusal('not_found', accountTexts.passkeyGone);
    }
    const details = { method: 'passkey', name };
    await insertAudit(db, { actor: staffId, action: 'factor.rename', target: staffId, details });
  });
}

import type { Account } from '@settee/protocol/calls/accountCalls';
import type { App } from '../../app.ts';
import { Refusal } from '../../auth/refusal.ts';
import type { Staff } from '../../caller.ts';
import { readAccountRow } from '../../db/staff/accounts.ts';
import { countOtherSessions } from '../../db/staff/ownSessions.ts';
import { listPasskeys } from '../../db/staff/passkeys.ts';
import { readFactors } from '../../db/staff/secondFactors.ts';

/** Everything that a member of staff may know about how they sign in. */
export async function readAccount(app: Pick<App, 'db'>, staff: Staff): Promise<Account> {
  const { sql } = app.db;
  const account = await readAccountRow(sql, staff.staffId);
  if (account === undefined) throw new Refusal('unauthenticated');
  const factors = await readFactors(sql, staff.staffId);
  const passkeys = await listPasskeys(sql, staff.staffId);
  return {
    email: account.email,
    name: account.name,
    role: staff.role,
    totpSince: factors.totpSince?.getTime() ?? null,
    passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name,
      createdAt: createdAt.getTime(),
      lastUsedAt: lastUsedAt?.getTime() ?? null,
    })),
    recoveryCodesLeft: factors.recoveryCodes,
    otherSessions: await countOtherSessions(sql, staff),
  };
}

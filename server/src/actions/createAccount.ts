import { PASSWORD_MIN, passwordTooShort } from '@settee/protocol/password';
import { ALIAS_PATTERN, type Role } from '@settee/protocol/staff';
import type { App } from '../app.ts';
import { hashPassword } from '../auth/passwords.ts';
import { insertAudit } from '../db/audit.ts';
import { ensureAlias, insertAccount } from '../db/staff.ts';
import { Refused } from '../refused.ts';

export type NewPerson = { email: string; name: string; password: string };

const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,189}$/;

/** What an admin and a handler have in common. */
export async function createAccount(
  app: Pick<App, 'db'>,
  account: NewPerson & { role: Role; alias: string | null },
  actor: string,
  /** Refuses by throwing, in the same transaction, before anything is written. */
  admit: (db: App['db']['sql']) => Promise<void> = async () => {},
): Promise<void> {
  const { password, ...rest } = account;
  const { email, alias, role } = account;
  if (!EMAIL.test(email)) throw new Refused('bad_request', 'This is not an e-mail address');
  if (alias !== null && !ALIAS_PATTERN.test(alias)) {
    throw new Refused('bad_request', 'An alias has 1 to 32 lower-case letters, digits and dashes');
  }
  if (password.length < PASSWORD_MIN) {
    throw new Refused('bad_request', passwordTooShort);
  }
  const passwordHash = await hashPassword(password);
  await app.db.sql.transaction().execute(async (db) => {
    await admit(db);
    if (alias !== null) await ensureAlias(db, alias);
    if (!(await insertAccount(db, { ...rest, passwordHash }))) {
      throw new Refused('bad_request', 'There is an account with this e-mail address already');
    }
    await insertAudit(db, { actor, action: `${role}.create`, target: email, details: { alias } });
  });
}

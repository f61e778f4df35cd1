import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../engine/tables.ts';

export type AccountRow = {
  id: string;
  email: string;
  name: string;
  role: string;
  alias: string | null;
  active: boolean;
  away: boolean;
  /** Null until the person chooses one. */
  passwordHash: string | null;
};

export async function readAccountRow(db: Kysely<Tables>, staffId: string): Promise<AccountRow | undefined> {
  return rowOf(db, staffId).executeTakeFirst();
}

/** Blocks changes of password, role and factors until the commit, but not other sign-ins. */
export async function lockAccountShared(
  db: Transaction<Tables>,
  staffId: string,
): Promise<AccountRow | undefined> {
  return rowOf(db, staffId).forShare().executeTakeFirst();
}

/** Blocks sign-ins and changes until the commit. */
export async function lockAccount(db: Transaction<Tables>, staffId: string): Promise<AccountRow | undefined> {
  return rowOf(db, staffId).forNoKeyUpdate().executeTakeFirst();
}

function rowOf(db: Kysely<Tables>, staffId: string) {
  return db
    .selectFrom('staff')
    .select(['id', 'email', 'name', 'role', 'alias', 'active', 'away', 'password_hash as passwordHash'])
    .where('id', '=', staffId);
}

/** Null: no sign-in until the owner chooses a password. */
export async function setPassword(
  db: Kysely<Tables>,
  staffId: string,
  passwordHash: string | null,
): Promise<void> {
  await db.updateTable('staff').set({ password_hash: passwordHash }).where('id', '=', staffId).execute();
}

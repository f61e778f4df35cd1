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
  /** Null until they choose one. */
  passwordHash: string | null;
};

export async function readAccountRow(db: Kysely<Tables>, staffId: string): Promise<AccountRow | undefined> {
  return rowOf(db, staffId).executeTakeFirst();
}

/** Nobody changes the password, the role or a factor before this transaction ends; sign-ins go on beside each other. */
export async function lockAccountShared(
  db: Transaction<Tables>,
  staffId: string,
): Promise<AccountRow | undefined> {
  return rowOf(db, staffId).forShare().executeTakeFirst();
}

/** Nobody signs in or changes anything about the account before this transaction ends. */
export async function lockAccount(db: Transaction<Tables>, staffId: string): Promise<AccountRow | undefined> {
  return rowOf(db, staffId).forNoKeyUpdate().executeTakeFirst();
}

function rowOf(db: Kysely<Tables>, staffId: string) {
  return db
    .selectFrom('staff')
    .select(['id', 'email', 'name', 'role', 'alias', 'active', 'away', 'password_hash as passwordHash'])
    .where('id', '=', staffId);
}

/** Null: none opens the account until its owner chooses one. */
export async function setPassword(
  db: Kysely<Tables>,
  staffId: string,
  passwordHash: string | null,
): Promise<void> {
  await db.updateTable('staff').set({ password_hash: passwordHash }).where('id', '=', staffId).execute();
}

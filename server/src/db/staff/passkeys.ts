import { type Kysely, sql } from 'kysely';
import type { Tables } from '../engine/tables.ts';

type Queries = Kysely<Tables>;

export type PasskeyRow = {
  id: string;
  credentialId: string;
  publicKey: Buffer;
  counter: number;
  transports: string[];
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
};

/** Oldest first. */
export async function listPasskeys(db: Queries, staffId: string): Promise<PasskeyRow[]> {
  const rows = await db
    .selectFrom('staff_passkeys')
    .select([
      'id',
      'credential_id as credentialId',
      'public_key as publicKey',
      'counter',
      'transports',
      'name',
      'created_at as createdAt',
      'last_used_at as lastUsedAt',
    ])
    .where('staff_id', '=', staffId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, counter: Number(row.counter) }));
}

/** False if the passkey already exists. */
export async function insertPasskey(
  db: Queries,
  passkey: Pick<PasskeyRow, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'name'> & {
    staffId: string;
  },
): Promise<boolean> {
  const { staffId, credentialId, publicKey, ...rest } = passkey;
  const inserted = await db
    .insertInto('staff_passkeys')
    .values({ ...rest, staff_id: staffId, credential_id: credentialId, public_key: publicKey })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** False if it is gone or its counter did not grow. Some passkeys do not count. */
export async function usePasskey(db: Queries, id: string, counter: number): Promise<boolean> {
  const used = await db
    .updateTable('staff_passkeys')
    .set({ counter, last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where((is) =>
      is.or([
        is('counter', '<', String(counter)),
        is.and([is('counter', '=', '0'), is(is.val(counter), '=', 0)]),
      ]),
    )
    .executeTakeFirst();
  return used.numUpdatedRows > 0n;
}

export async function renamePasskeyRow(
  db: Queries,
  passkey: { id: string; staffId: string; name: string },
): Promise<boolean> {
  const renamed = await db
    .updateTable('staff_passkeys')
    .set({ name: passkey.name })
    .where('id', '=', passkey.id)
    .where('staff_id', '=', passkey.staffId)
    .executeTakeFirst();
  return renamed.numUpdatedRows > 0n;
}

/** Returns its name; undefined if there was none. */
export async function deletePasskey(
  db: Queries,
  passkey: { id: string; staffId: string },
): Promise<string | undefined> {
  const gone = await db
    .deleteFrom('staff_passkeys')
    .where('id', '=', passkey.id)
    .where('staff_id', '=', passkey.staffId)
    .returning('name')
    .executeTakeFirst();
  return gone?.name;
}

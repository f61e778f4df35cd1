import { type Kysely, sql } from 'kysely';
import type { Tables } from '../engine/tables.ts';

type Queries = Kysely<Tables>;

export type Factors = { totpSince: Date | null; passkeys: number; recoveryCodes: number };

export async function readFactors(db: Queries, staffId: string): Promise<Factors> {
  const totp = await db
    .selectFrom('staff_totp')
    .select('created_at as since')
    .where('staff_id', '=', staffId)
    .executeTakeFirst();
  return {
    totpSince: totp?.since ?? null,
    passkeys: await count(db, 'staff_passkeys', staffId),
    recoveryCodes: await count(db, 'staff_recovery_codes', staffId),
  };
}

/** Recovery codes alone are no factor. */
export function hasFactor({ totpSince, passkeys }: Factors): boolean {
  return totpSince !== null || passkeys > 0;
}

export async function findTotpSecret(db: Queries, staffId: string): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('staff_totp')
    .select('secret')
    .where('staff_id', '=', staffId)
    .executeTakeFirst();
  return row?.secret;
}

/** Replaces the previous one. */
export async function putTotp(
  db: Queries,
  totp: { staffId: string; secret: Buffer; step: number },
): Promise<void> {
  const { staffId, secret, step } = totp;
  await db
    .insertInto('staff_totp')
    .values({ staff_id: staffId, secret, last_step: step })
    .onConflict((conflict) =>
      conflict.column('staff_id').doUpdateSet({ secret, last_step: step, created_at: sql<Date>`now()` }),
    )
    .execute();
}

/** False if this or a later step was used before, or the secret has changed. */
export async function useTotpStep(
  db: Queries,
  { staffId, secret, step }: { staffId: string; secret: Buffer; step: number },
): Promise<boolean> {
  const used = await db
    .updateTable('staff_totp')
    .set({ last_step: step })
    .where('staff_id', '=', staffId)
    .where('secret', '=', secret)
    .where('last_step', '<', String(step))
    .executeTakeFirst();
  return used.numUpdatedRows > 0n;
}

export async function deleteTotp(db: Queries, staffId: string): Promise<boolean> {
  const gone = await db.deleteFrom('staff_totp').where('staff_id', '=', staffId).executeTakeFirst();
  return gone.numDeletedRows > 0n;
}

export async function replaceRecoveryCodes(db: Queries, staffId: string, hashes: Buffer[]): Promise<void> {
  await db.deleteFrom('staff_recovery_codes').where('staff_id', '=', staffId).execute();
  if (hashes.length === 0) return;
  await db
    .insertInto('staff_recovery_codes')
    .values(hashes.map((hash) => ({ staff_id: staffId, hash })))
    .execute();
}

/** True once: the code is deleted. */
export async function useRecoveryCode(
  db: Queries,
  staffId: string,
  hashes: readonly Buffer[],
): Promise<boolean> {
  const used = await db
    .deleteFrom('staff_recovery_codes')
    .where('staff_id', '=', staffId)
    .where('hash', 'in', hashes)
    .executeTakeFirst();
  return used.numDeletedRows > 0n;
}

export async function deleteFactors(db: Queries, staffId: string): Promise<void> {
  await deleteTotp(db, staffId);
  await db.deleteFrom('staff_passkeys').where('staff_id', '=', staffId).execute();
  await replaceRecoveryCodes(db, staffId, []);
}

export async function listTotpSecrets(db: Queries): Promise<{ staffId: string; secret: Buffer }[]> {
  return db.selectFrom('staff_totp').select(['staff_id as staffId', 'secret']).execute();
}

export async function resealTotp(db: Queries, staffId: string, secret: Buffer): Promise<void> {
  await db.updateTable('staff_totp').set({ secret }).where('staff_id', '=', staffId).execute();
}

/** Deletes what a lost SECRET makes useless. Passkeys stay. */
export async function deleteSealedFactors(db: Queries): Promise<void> {
  await db.deleteFrom('staff_totp').execute();
  await db.deleteFrom('staff_recovery_codes').execute();
}

/** False if the ticket was already redeemed. */
export async function spendTicket(
  db: Queries,
  ticket: { ticketId: string; expiresAt: number },
): Promise<boolean> {
  const spent = await db
    .insertInto('spent_tickets')
    .values({ id: ticket.ticketId, expires_at: new Date(ticket.expiresAt) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return spent !== undefined;
}

async function count(
  db: Queries,
  table: 'staff_passkeys' | 'staff_recovery_codes',
  staffId: string,
): Promise<number> {
  const { count } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('staff_id', '=', staffId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

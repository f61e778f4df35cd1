import { changed, type Db, one, rows, run, value } from '../platform/db/query.ts';

export type Factors = { totpSince: Date | null; passkeys: number; recoveryCodes: number };

export function readFactors(db: Db, staffId: string): Promise<Factors> {
  return one<Factors>(db)`
    select (select created_at from staff_totp where staff_id = ${staffId}) as "totpSince",
      (select count(*)::integer from staff_passkeys where staff_id = ${staffId}) as passkeys,
      (select count(*)::integer from staff_recovery_codes where staff_id = ${staffId}) as "recoveryCodes"`;
}

/** Recovery codes alone are no factor. */
export function hasFactor({ totpSince, passkeys }: Factors): boolean {
  return totpSince !== null || passkeys > 0;
}

export function findTotpSecret(db: Db, staffId: string): Promise<Buffer | undefined> {
  return value<Buffer>(db)`select secret from staff_totp where staff_id = ${staffId}`;
}

type Totp = { staffId: string; secret: Buffer; step: number };

/** Replaces the previous one. */
export function putTotp(db: Db, { staffId, secret, step }: Totp): Promise<void> {
  return run(db)`
    insert into staff_totp (staff_id, secret, last_step) values (${staffId}, ${secret}, ${step})
    on conflict (staff_id) do update
    set secret = excluded.secret, last_step = excluded.last_step, created_at = now()`;
}

/** False if this or a later step was used before, or the secret has changed. */
export function useTotpStep(db: Db, { staffId, secret, step }: Totp): Promise<boolean> {
  return changed(db)`
    update staff_totp set last_step = ${step}
    where staff_id = ${staffId} and secret = ${secret} and last_step < ${step}`;
}

export function deleteTotp(db: Db, staffId: string): Promise<boolean> {
  return changed(db)`delete from staff_totp where staff_id = ${staffId}`;
}

export async function replaceRecoveryCodes(db: Db, staffId: string, hashes: Buffer[]): Promise<void> {
  await run(db)`delete from staff_recovery_codes where staff_id = ${staffId}`;
  await run(db)`
    insert into staff_recovery_codes (staff_id, hash) select ${staffId}::uuid, unnest(${hashes}::bytea[])`;
}

/** True once: the code is deleted. */
export function useRecoveryCode(db: Db, staffId: string, hashes: readonly Buffer[]): Promise<boolean> {
  return changed(db)`
    delete from staff_recovery_codes where staff_id = ${staffId} and hash = any (${hashes}::bytea[])`;
}

export async function deleteFactors(db: Db, staffId: string): Promise<void> {
  await deleteTotp(db, staffId);
  await run(db)`delete from staff_passkeys where staff_id = ${staffId}`;
  await replaceRecoveryCodes(db, staffId, []);
}

export function listTotpSecrets(db: Db): Promise<{ staffId: string; secret: Buffer }[]> {
  return rows<{ staffId: string; secret: Buffer }>(db)`select staff_id as "staffId", secret from staff_totp`;
}

export function resealTotp(db: Db, staffId: string, secret: Buffer): Promise<void> {
  return run(db)`update staff_totp set secret = ${secret} where staff_id = ${staffId}`;
}

/** Deletes what a lost SECRET makes useless. Passkeys stay. */
export async function deleteSealedFactors(db: Db): Promise<void> {
  await run(db)`delete from staff_totp`;
  await run(db)`delete from staff_recovery_codes`;
}

/** False if the ticket was already redeemed. */
export function spendTicket(db: Db, ticket: { ticketId: string; expiresAt: number }): Promise<boolean> {
  return changed(db)`
    insert into spent_tickets (id, expires_at) values (${ticket.ticketId}, ${new Date(ticket.expiresAt)})
    on conflict do nothing`;
}

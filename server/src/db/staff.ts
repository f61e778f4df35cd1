import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';
import type { Tables } from './tables.ts';

type Queries = Kysely<Tables>;

export type SessionRow = {
  sessionId: string;
  staffId: string;
  name: string;
  role: string;
  alias: string | null;
  away: boolean;
  /** Showed all that the account has to show. */
  verified: boolean;
};

export async function findAccount(db: Queries, email: string) {
  return db
    .selectFrom('staff')
    .select(['id', 'name', 'role', 'alias', 'active', 'away', 'password_hash as passwordHash'])
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .executeTakeFirst();
}

/**
 * Of a `session` and its `staff`: an administrator's has to have shown a second factor, and so has that of anybody who
 * has one. Looked up only for who showed none.
 */
export const VERIFIED = `(session.second_factor_at is not null or (staff.role <> 'admin'
    and not exists (select from staff_totp totp where totp.staff_id = staff.id)
    and not exists (select from staff_passkeys passkey where passkey.staff_id = staff.id)))`;

/** Sessions that were neither ended nor outlived, of accounts that are active. */
const LIVE = `
  select session.id as "sessionId", staff.id as "staffId", staff.name, staff.role, staff.alias, staff.away,
    ${VERIFIED} as verified
  from staff_sessions session join staff on staff.id = session.staff_id
  where session.revoked_at is null and session.expires_at > now() and staff.active`;

/** Prepared, because every call of staff comes through here. */
export async function findSessions(db: Database, ids: string[]): Promise<SessionRow[]> {
  const query = { name: 'live-sessions', text: `${LIVE} and session.id = any ($1::uuid[])`, values: [ids] };
  return (await db.pool.query<SessionRow>(query)).rows;
}

export async function findSession(db: Database, tokenHash: Buffer): Promise<SessionRow | undefined> {
  const query = {
    name: 'session-of-cookie',
    text: `${LIVE} and session.token_hash = $1`,
    values: [tokenHash],
  };
  return (await db.pool.query<SessionRow>(query)).rows[0];
}

export async function insertSession(
  db: Queries,
  session: { staffId: string; tokenHash: Buffer; days: number; secondFactor: boolean },
): Promise<string> {
  const { id } = await db
    .insertInto('staff_sessions')
    .values({
      staff_id: session.staffId,
      token_hash: session.tokenHash,
      second_factor_at: session.secondFactor ? sql<Date>`now()` : null,
      expires_at: sql<Date>`now() + make_interval(days => ${session.days})`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Whose session it was; undefined when there was none to end. */
export async function revokeSession(db: Queries, tokenHash: Buffer): Promise<string | undefined> {
  const ended = await db
    .updateTable('staff_sessions')
    .set({ revoked_at: sql<Date>`now()` })
    .where('token_hash', '=', tokenHash)
    .where('revoked_at', 'is', null)
    .returning('staff_id as staffId')
    .executeTakeFirst();
  return ended?.staffId;
}

/** Their id; undefined when the e-mail address is taken. */
export async function insertAccount(
  db: Queries,
  account: { email: string; name: string; passwordHash: string | null; role: string; alias: string | null },
): Promise<string | undefined> {
  const { passwordHash, ...rest } = account;
  const inserted = await db
    .insertInto('staff')
    .values({ ...rest, password_hash: passwordHash })
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted?.id;
}

/** True when it was not so before. */
export async function setAway(db: Queries, staffId: string, away: boolean): Promise<boolean> {
  const result = await db
    .updateTable('staff')
    .set({ away })
    .where('id', '=', staffId)
    .where('away', '<>', away)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** A desk; several people may sit at it. */
export async function ensureAlias(db: Queries, alias: string): Promise<void> {
  await db
    .insertInto('handlers')
    .values({ alias })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function aliasExists(db: Queries, alias: string): Promise<boolean> {
  const row = await db.selectFrom('handlers').select('alias').where('alias', '=', alias).executeTakeFirst();
  return row !== undefined;
}

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
  /** Showed more than a password. */
  secondFactor: boolean;
};

export async function findAccount(db: Queries, email: string) {
  return db
    .selectFrom('staff')
    .select(['id', 'name', 'role', 'alias', 'active', 'away', 'password_hash as passwordHash'])
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst();
}

/** Sessions that were neither ended nor outlived, of accounts that are active. */
const LIVE = `
  select session.id as "sessionId", staff.id as "staffId", staff.name, staff.role, staff.alias, staff.away,
    session.second_factor_at is not null as "secondFactor"
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

/** Opens a session and says so in the audit log. Nothing else may be locked after it. */
export async function insertSession(
  db: Queries,
  session: { staffId: string; tokenHash: Buffer; days: number; secondFactor: boolean },
): Promise<string> {
  const { staffId, tokenHash, days, secondFactor } = session;
  const { rows } = await sql<{ id: string }>`
    with begun as (
      insert into staff_sessions (staff_id, token_hash, second_factor_at, expires_at)
      values (${staffId}, ${tokenHash}, case when ${secondFactor}::boolean then now() end,
        now() + make_interval(days => ${days}::integer))
      returning id, staff_id
    ), logged as (
      insert into audit (actor, action, target) select staff_id, 'session.begin', staff_id from begun
    )
    select id from begun`.execute(db);
  const [begun] = rows;
  if (begun === undefined) throw new Error('no session was begun');
  return begun.id;
}

/** True when there was a session to end; then it is in the audit log. */
export async function revokeSession(db: Queries, tokenHash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    with ended as (
      update staff_sessions set revoked_at = now() where token_hash = ${tokenHash} and revoked_at is null
      returning staff_id
    ), logged as (
      insert into audit (actor, action, target) select staff_id, 'session.end', staff_id from ended
    )
    select true from ended`.execute(db);
  return rows.length > 0;
}

/** False when the e-mail address is taken. */
export async function insertAccount(
  db: Queries,
  account: { email: string; name: string; passwordHash: string; role: string; alias: string | null },
): Promise<boolean> {
  const { passwordHash, ...rest } = account;
  const inserted = await db
    .insertInto('staff')
    .values({ ...rest, password_hash: passwordHash })
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
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

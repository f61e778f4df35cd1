import { SECOND_FACTOR_GRACE_DAYS } from '@settee/protocol/model/secondFactor';
import { type Kysely, sql } from 'kysely';
import type { SecondFactorPolicy } from '../../config/config.ts';
import type { Database } from '../engine/database.ts';
import type { Tables } from '../engine/tables.ts';

type Queries = Kysely<Tables>;

export type SessionRow = {
  sessionId: string;
  staffId: string;
  name: string;
  role: string;
  alias: string | null;
  away: boolean;
  /** May open the console. */
  verified: boolean;
  /** Deadline for setting up a second factor; null if none is missing. */
  enrolBy: number | null;
  /** After the deadline the admin area is closed. */
  overdue: boolean;
};

export async function findAccount(db: Queries, email: string) {
  return db
    .selectFrom('staff')
    .select(['id', 'name', 'role', 'alias', 'active', 'away', 'password_hash as passwordHash'])
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .executeTakeFirst();
}

/** End of the grace period without a second factor. */
const GRACE_ENDS = `(staff.grace_from + interval '${SECOND_FACTOR_GRACE_DAYS} days')`;

const NO_FACTOR = `(not exists (select from staff_totp totp where totp.staff_id = staff.id)
    and not exists (select from staff_passkeys passkey where passkey.staff_id = staff.id))`;

/** Which accounts need a second factor. */
const REQUIRED: Record<SecondFactorPolicy, string> = {
  administrators: `staff.role = 'admin'`,
  everyone: 'true',
  optional: 'false',
};

/**
 * Whether a session may open the console, as SQL over `session` and `staff`. An account with a factor must have shown
 * it. Where everyone needs one, an account without it may enter during the grace period.
 */
export function verifiedSql(policy: SecondFactorPolicy): string {
  const inGrace = policy === 'everyone' ? ` and coalesce(${GRACE_ENDS} > now(), true)` : '';
  return `(session.second_factor_at is not null or (${NO_FACTOR}${inGrace}))`;
}

/** Sessions of active accounts that are neither revoked nor expired. */
function liveSessions(policy: SecondFactorPolicy): string {
  const missing = `session.second_factor_at is null and ${REQUIRED[policy]} and ${NO_FACTOR}`;
  return `
  select session.id as "sessionId", staff.id as "staffId", staff.name, staff.role, staff.alias, staff.away,
    ${verifiedSql(policy)} as verified,
    case when ${missing} then floor(extract(epoch from ${GRACE_ENDS}) * 1000)::float8 end as "enrolBy",
    coalesce(${missing} and ${GRACE_ENDS} <= now(), false) as overdue
  from staff_sessions session join staff on staff.id = session.staff_id
  where session.revoked_at is null and session.expires_at > now() and staff.active`;
}

/** A prepared statement, because every staff call uses it. */
export async function findSessions(
  db: Database,
  policy: SecondFactorPolicy,
  ids: string[],
): Promise<SessionRow[]> {
  const text = `${liveSessions(policy)} and session.id = any ($1::uuid[])`;
  return (await db.pool.query<SessionRow>({ name: 'live-sessions', text, values: [ids] })).rows;
}

export async function findSession(
  db: Database,
  policy: SecondFactorPolicy,
  tokenHash: Buffer,
): Promise<SessionRow | undefined> {
  const text = `${liveSessions(policy)} and session.token_hash = $1`;
  return (await db.pool.query<SessionRow>({ name: 'session-of-cookie', text, values: [tokenHash] })).rows[0];
}

/** Reads a session inside the transaction that created it. */
export async function readSession(
  db: Queries,
  policy: SecondFactorPolicy,
  id: string,
): Promise<SessionRow | undefined> {
  const found = sql<SessionRow>`${sql.raw(liveSessions(policy))} and session.id = ${id}`;
  return (await found.execute(db)).rows[0];
}

/**
 * The grace period starts with the first sign-in. Outside of the sign-in's transaction, to avoid a deadlock of two
 * first sign-ins.
 */
export async function startGracePeriod(db: Queries, staffId: string): Promise<void> {
  await db
    .updateTable('staff')
    .set({ grace_from: sql<Date>`now()` })
    .where('id', '=', staffId)
    .where('grace_from', 'is', null)
    .execute();
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

/** The session's owner; undefined if there was none. */
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

/** The new id; undefined if the e-mail address is taken. */
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

/** False if nothing changed. */
export async function setAway(db: Queries, staffId: string, away: boolean): Promise<boolean> {
  const result = await db
    .updateTable('staff')
    .set({ away })
    .where('id', '=', staffId)
    .where('away', '<>', away)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Creates a desk if it does not exist. */
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

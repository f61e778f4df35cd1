import { MAIN } from '@settee/protocol/model/profile';
import { SECOND_FACTOR_GRACE_DAYS } from '@settee/protocol/model/secondFactor';
import type { HeldDesk } from '@settee/protocol/model/staff';
import type { Config, SecondFactorPolicy } from '../platform/config/config.ts';
import { FIRST_DESK_FIRST } from '../platform/db/deskPeople.ts';
import {
  changed,
  type Db,
  exists,
  first,
  millis,
  one,
  raw,
  rows,
  run,
  type Sql,
  sql,
  value,
} from '../platform/db/query.ts';
import type { SessionOrigin } from '../platform/ports/caller.ts';
import type { AccountRow } from './accounts.store.ts';

export type SessionRow = {
  sessionId: string;
  staffId: string;
  name: string;
  role: string;
  alias: string | null;
  desks: HeldDesk[];
  away: boolean;
  /** May open the console. */
  verified: boolean;
  /** Deadline for setting up a second factor; null if none is missing. */
  enrolBy: number | null;
  /** After the deadline the admin area is closed. */
  overdue: boolean;
};

/** Upper and lower case of A to Z do not matter. Other letters must be the same: `lower` turns `İ` into `i`. */
export function findAccount(
  db: Db,
  email: string,
): Promise<Omit<AccountRow, 'email' | 'waitingMail' | 'desks'> | undefined> {
  return first<Omit<AccountRow, 'email' | 'waitingMail' | 'desks'>>(db)`
    select id, name, role, alias, active, away, password_hash as "passwordHash"
    from staff
    where lower(email) = lower(${email}) and lower(email collate "C") = lower(${email}::text collate "C")`;
}

/** End of the grace period without a second factor. */
const GRACE_ENDS = raw(`(staff.grace_from + interval '${SECOND_FACTOR_GRACE_DAYS} days')`);

const NO_FACTOR = sql`(not exists (select from staff_totp totp where totp.staff_id = staff.id)
    and not exists (select from staff_passkeys passkey where passkey.staff_id = staff.id))`;

const REQUIRED: Record<SecondFactorPolicy, Sql> = {
  administrators: sql`staff.role = 'admin'`,
  everyone: sql`true`,
  optional: sql`false`,
};

/**
 * Whether a session may open the console, as SQL over `session` and `staff`. An account with a factor must have shown
 * it. Where everyone needs one, an account without it may enter during the grace period.
 */
export function verifiedSql(policy: SecondFactorPolicy): Sql {
  const inGrace = policy === 'everyone' ? sql` and coalesce(${GRACE_ENDS} > now(), true)` : sql``;
  return sql`(session.second_factor_at is not null or (${NO_FACTOR}${inGrace}))`;
}

/** What decides whether a session is valid and what it may do. */
type SessionRules = Pick<Config, 'secondFactor' | 'sessions'>;

/**
 * Whether a session is neither revoked nor expired nor idle, as SQL over `session` and `staff`. The role of now decides:
 * a new administrator's session ends earlier.
 */
export function openSql({ sessions: { handler, admin } }: Pick<Config, 'sessions'>): Sql {
  const byRole = (ofAdmin: number, ofHandler: number) =>
    sql`case staff.role when 'admin' then ${ofAdmin}::integer else ${ofHandler}::integer end`;
  return sql`(session.revoked_at is null and session.expires_at > now()
    and session.created_at > now() - make_interval(days => ${byRole(admin.days, handler.days)})
    and session.last_used_at > now() - make_interval(hours => ${byRole(admin.idleHours, handler.idleHours)}))`;
}

/** Open sessions of active accounts. */
function liveSessions(rules: SessionRules): Sql {
  const policy = rules.secondFactor;
  const missing = sql`session.second_factor_at is null and ${REQUIRED[policy]} and ${NO_FACTOR}`;
  return sql`
  select session.id as "sessionId", staff.id as "staffId", staff.name, staff.role, staff.alias, staff.away,
    array(
      select json_build_object('alias', d.alias, 'off', d.off) from desk_staff d where d.staff_id = staff.id
      order by ${FIRST_DESK_FIRST}
    ) as desks,
    ${verifiedSql(policy)} as verified,
    case when ${missing} then ${millis(GRACE_ENDS.text)} end as "enrolBy",
    coalesce(${missing} and ${GRACE_ENDS} <= now(), false) as overdue
  from staff_sessions session join staff on staff.id = session.staff_id
  where ${openSql(rules)} and staff.active`;
}

/** A prepared statement, because every staff call uses it. */
export function findSessions(db: Db, rules: SessionRules, ids: string[]): Promise<SessionRow[]> {
  return rows<SessionRow>(db, 'live-sessions')`
    ${liveSessions(rules)} and session.id = any (${ids}::uuid[])`;
}

/** For calls of other tabs that were on their way when the secret was replaced. */
const PREVIOUS_SECRET_SECONDS = 30;

export async function findSession(
  db: Db,
  rules: SessionRules,
  tokenHash: Buffer,
): Promise<SessionRow | undefined> {
  const found = await first<SessionRow>(db, 'session-of-cookie')`
    ${liveSessions(rules)} and session.token_hash = ${tokenHash}`;
  // Without an index: there are few sessions of staff, and addresses have limits for unknown cookies.
  return (
    found ??
    first<SessionRow>(db, 'session-of-previous-cookie')`
    ${liveSessions(rules)} and session.previous_hash = ${tokenHash}
      and session.confirmed_at > now() - make_interval(secs => ${PREVIOUS_SECRET_SECONDS})`
  );
}

/** Reads a session inside the transaction that created it. */
export function readSession(db: Db, rules: SessionRules, id: string): Promise<SessionRow | undefined> {
  return first<SessionRow>(db)`${liveSessions(rules)} and session.id = ${id}`;
}

/**
 * The grace period starts with the first sign-in. Outside of the sign-in's transaction, to avoid a deadlock of two
 * first sign-ins.
 */
export function startGracePeriod(db: Db, staffId: string): Promise<void> {
  return run(db)`update staff set grace_from = now() where id = ${staffId} and grace_from is null`;
}

/** Records that the person did something in this session. */
export function touchSession(db: Db, sessionId: string, network: string): Promise<void> {
  return run(db)`
    update staff_sessions set last_used_at = now(), network = ${network} where id = ${sessionId}`;
}

/** How long a shown factor or password counts as recent. */
export const FRESH_MINUTES = 10;

/** What a person showed to sign in. A provider that knew the browser did not ask, so its proof is not recent. */
export type SessionProof = { secondFactor: boolean; recent: boolean };

export async function insertSession(
  db: Db,
  session: { staffId: string; tokenHash: Buffer; days: number; proof: SessionProof } & SessionOrigin,
): Promise<string> {
  const { staffId, tokenHash, days, browser, network } = session;
  const { secondFactor, recent } = session.proof;
  const { id } = await one<{ id: string }>(db)`
    insert into staff_sessions (staff_id, token_hash, browser, network, confirmed_at, second_factor_at, expires_at)
    values (${staffId}, ${tokenHash}, ${browser}, ${network}, case when ${recent}::boolean then now() end,
      case when ${secondFactor}::boolean then now() - make_interval(mins => ${recent ? 0 : FRESH_MINUTES}) end,
      now() + make_interval(days => ${days}))
    returning id`;
  return id;
}

/** The session's owner; undefined if there was none. */
export function revokeSession(db: Db, tokenHash: Buffer): Promise<string | undefined> {
  return value<string>(db)`
    update staff_sessions set revoked_at = now()
    where token_hash = ${tokenHash} and revoked_at is null returning staff_id`;
}

/** The new id; undefined if the e-mail address is taken. */
export function insertAccount(
  db: Db,
  account: Pick<AccountRow, 'email' | 'name' | 'passwordHash' | 'role' | 'alias'>,
): Promise<string | undefined> {
  const { email, name, passwordHash, role, alias } = account;
  return value<string>(db)`
    insert into staff (email, name, password_hash, role, alias)
    values (${email}, ${name}, ${passwordHash}, ${role}, ${alias})
    on conflict (lower(email)) do nothing returning id`;
}

/** False if nothing changed. */
export function setAway(db: Db, staffId: string, away: boolean): Promise<boolean> {
  return changed(db)`update staff set away = ${away} where id = ${staffId} and away <> ${away}`;
}

/**
 * False if nothing changed: also for a desk that is not the person's, and for the only one if it should be off. The caller
 * holds the lock of the person.
 */
export function setDeskOff(db: Db, staffId: string, { alias, off }: HeldDesk): Promise<boolean> {
  return changed(db)`
    update desk_staff set off = ${off}
    where staff_id = ${staffId} and alias = ${alias} and off <> ${off}
      and (not ${off}::boolean or exists (
        select from desk_staff o where o.staff_id = ${staffId} and o.alias <> ${alias}
      ))`;
}

/** All desks of a person, the first one first. New ones come first: the only desk is never off. */
export async function writeDesks(db: Db, staffId: string, aliases: readonly string[]): Promise<void> {
  await run(db)`
    insert into desk_staff (alias, staff_id) select alias, ${staffId}::uuid from unnest(${aliases}::text[]) as alias
    on conflict do nothing`;
  await run(db)`delete from desk_staff where staff_id = ${staffId} and alias <> all (${aliases}::text[])`;
}

export function ensureAlias(db: Db, alias: string, profile = MAIN): Promise<void> {
  return run(db)`insert into handlers (alias, profile) values (${alias}, ${profile}) on conflict do nothing`;
}

export function aliasExists(db: Db, alias: string): Promise<boolean> {
  return exists(db)`select from handlers where alias = ${alias}`;
}

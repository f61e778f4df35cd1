import { PEOPLE_PAGE, type Person } from '@settee/protocol/calls/peopleCalls';
import type { PersonDraft } from '@settee/protocol/model/person';
import { type Kysely, sql } from 'kysely';
import { readDeskMedians } from '../dashboard/dashboardDesks.ts';
import type { Database } from '../engine/database.ts';
import { violatedIndex } from '../engine/databaseErrors.ts';
import type { Tables } from '../engine/tables.ts';

type Queries = Kysely<Tables>;

/** Sorted for readers: Ömer is among the O. */
const BY_NAME = `lower(s.name) collate "und-x-icu"`;

const PEOPLE = `
  select s.id, s.name, s.email, s.role, s.alias, s.active, s.away,
    exists (
      select from staff_presence p where p.staff_id = s.id and p.expires_at > now()
    ) as online,
    floor(extract(epoch from s.last_seen_at) * 1000)::float8 as "lastSeenAt",
    (select count(*)::integer from conversations c
     where c.handler_alias = s.alias and c.status = 'open') as open,
    (select h.number from handlers h where h.alias = s.alias) as desk,
    exists (select from staff_totp t where t.staff_id = s.id)
      or exists (select from staff_passkeys k where k.staff_id = s.id) as "hasFactor"
  from staff s
  where s.active = $1 and s.role in ('handler', 'admin')
    and ($2 = '' or strpos(lower(s.name), lower($2)) > 0 or strpos(lower(s.email), lower($2)) > 0
      or strpos(s.alias, lower($2)) > 0)
    and ($3::uuid is null
      or (${BY_NAME}, s.id) > (select ${BY_NAME}, s.id from staff s where s.id = $3))
  order by ${BY_NAME}, s.id
  limit $4`;

type PeopleRow = Omit<Person, 'medianFirstReplyMs'> & { desk: number | null };

/** One page of staff. */
export async function readPeople(
  db: Database,
  {
    q = '',
    show,
    after,
  }: { q?: string | undefined; show: 'active' | 'deactivated'; after?: string | undefined },
  now: number,
): Promise<{ people: Person[]; next: string | null }> {
  const values = [show === 'active', q, after ?? null, PEOPLE_PAGE + 1];
  const [{ rows }, medians] = await Promise.all([
    db.pool.query<PeopleRow>(PEOPLE, values),
    readDeskMedians(db, now),
  ]);
  const people = rows
    .slice(0, PEOPLE_PAGE)
    .map(({ desk, ...person }) => ({ ...person, medianFirstReplyMs: medians.get(desk ?? -1) ?? null }));
  return { people, next: rows.length > PEOPLE_PAGE ? (people.at(-1)?.id ?? null) : null };
}

/**
 * Serializes changes of roles and accounts until the commit: two administrators who deactivate each other must not
 * both succeed.
 */
export async function lockPeople(db: Queries): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('people', 0))`.execute(db);
}

/** The session's current role; undefined if the session has ended. */
export async function roleOfSession(db: Queries, sessionId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('staff_sessions as session')
    .innerJoin('staff', 'staff.id', 'session.staff_id')
    .select('staff.role')
    .where('session.id', '=', sessionId)
    .where('session.revoked_at', 'is', null)
    .where('session.expires_at', '>', sql<Date>`now()`)
    .where('staff.active', '=', true)
    .executeTakeFirst();
  return row?.role;
}

/** A shared lock, for work that relies on desks being staffed. */
export async function lockPeopleShared(db: Queries): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended('people', 0))`.execute(db);
}

/** Which of these desks have no staff or do not exist. */
export async function findUnstaffedDesks(db: Queries, aliases: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ alias: string }>`
    select desk.alias from unnest(${aliases}::text[]) as desk (alias)
    where not exists (
      select from staff s where s.alias = desk.alias and s.active and s.role in ('handler', 'admin')
    )`.execute(db);
  return rows.map(({ alias }) => alias);
}

/** Whether another active administrator with a password exists. */
export async function hasOtherAdmin(db: Queries, id: string): Promise<boolean> {
  const other = await db
    .selectFrom('staff')
    .select('id')
    .where('role', '=', 'admin')
    .where('active', '=', true)
    .where('password_hash', 'is not', null)
    .where('id', '<>', id)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

/** Whether the desk has other staff. */
export async function hasOtherStaffAt(db: Queries, alias: string, exceptId?: string): Promise<boolean> {
  let query = db
    .selectFrom('staff')
    .select('id')
    .where('alias', '=', alias)
    .where('active', '=', true)
    .where('role', 'in', ['handler', 'admin']);
  if (exceptId !== undefined) query = query.where('id', '<>', exceptId);
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}

/** False if the e-mail address is taken; that ends the transaction. */
export async function updatePerson(
  db: Queries,
  id: string,
  person: PersonDraft,
  { promoted = false }: { promoted?: boolean } = {},
): Promise<boolean> {
  // A promoted administrator gets the full grace period for a second factor.
  const grace = promoted ? { grace_from: sql<Date>`now()` } : {};
  try {
    await db
      .updateTable('staff')
      .set({ ...person, ...grace })
      .where('id', '=', id)
      .execute();
    return true;
  } catch (error) {
    if (violatedIndex(error) === 'staff_email') return false;
    throw error;
  }
}

export async function setActive(db: Queries, id: string, active: boolean): Promise<void> {
  await db.updateTable('staff').set({ active }).where('id', '=', id).execute();
}

/** Notifications follow the person to the new desk; without a desk they end. */
export async function movePushSubscriptions(
  db: Queries,
  staffId: string,
  alias: string | null,
): Promise<void> {
  if (alias === null) {
    await db.deleteFrom('push_subscriptions').where('staff_id', '=', staffId).execute();
  } else {
    await db.updateTable('push_subscriptions').set({ alias }).where('staff_id', '=', staffId).execute();
  }
}

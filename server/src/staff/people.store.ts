import { PEOPLE_PAGE, type Person } from '@settee/protocol/calls/peopleCalls';
import type { PersonDraft } from '@settee/protocol/model/person';
import { readDeskMedians } from '../dashboard/dashboardDesks.store.ts';
import type { Database } from '../platform/db/database.ts';
import { violatedIndex } from '../platform/db/databaseErrors.ts';
import { DESK_PEOPLE } from '../platform/db/deskPeople.ts';
import { column, type Db, exists, millis, rows, run, sql, value } from '../platform/db/query.ts';
import { writeDesks } from './staff.store.ts';

/** Sorted for readers: Ömer is among the O. */
const BY_NAME = sql`lower(s.name) collate "und-x-icu"`;

type PeopleRow = Omit<Person, 'medianFirstReplyMs' | 'desks'> & { desk: number | null; desks: string[] };

export async function readPeople(
  db: Database,
  {
    q = '',
    show,
    profile,
    after,
  }: {
    q?: string | undefined;
    show: 'active' | 'deactivated';
    profile?: string | undefined;
    after?: string | undefined;
  },
  now: number,
): Promise<{ people: Person[]; next: string | null }> {
  const [found, medians] = await Promise.all([
    rows<PeopleRow>(db)`
      select s.id, s.name, s.email, s.role, s.alias, s.active,
        s.away or coalesce((select bool_and(d.off) from desk_staff d where d.staff_id = s.id), false) as away,
        exists (
          select from staff_presence p where p.staff_id = s.id and p.expires_at > now()
        ) as online,
        ${millis('s.last_seen_at')} as "lastSeenAt",
        (select count(*)::integer from conversations c
         where c.handler_alias in (select d.alias from desk_staff d where d.staff_id = s.id) and c.status = 'open') as open,
      array(
        select d.alias from desk_staff d where d.staff_id = s.id
        order by d.alias is distinct from s.alias, d.alias collate "C"
      ) as desks,
        (select h.number from handlers h where h.alias = s.alias) as desk,
        exists (select from staff_totp t where t.staff_id = s.id)
          or exists (select from staff_passkeys k where k.staff_id = s.id) as "hasFactor"
      from staff s
      where s.active = ${show === 'active'} and s.role in ('handler', 'admin')
        and (${q} = '' or strpos(lower(s.name), lower(${q})) > 0 or strpos(lower(s.email), lower(${q})) > 0
          or exists (
            select from desk_staff d join handlers h on h.alias = d.alias
            where d.staff_id = s.id and (strpos(h.alias, lower(${q})) > 0 or strpos(lower(h.name), lower(${q})) > 0)
          ))
        and (${profile ?? null}::text is null or exists (
          select from desk_staff d join handlers h on h.alias = d.alias
          where d.staff_id = s.id and h.profile = ${profile ?? null}
        ))
        and (${after}::uuid is null
          or (${BY_NAME}, s.id) > (select ${BY_NAME}, s.id from staff s where s.id = ${after}))
      order by ${BY_NAME}, s.id
      limit ${PEOPLE_PAGE + 1}`,
    readDeskMedians(db, now),
  ]);
  const people = found.slice(0, PEOPLE_PAGE).map(({ desk, desks, ...person }) => ({
    ...person,
    ...(desks.length > 1 && { desks }),
    medianFirstReplyMs: medians.get(desk ?? -1) ?? null,
  }));
  return { people, next: found.length > PEOPLE_PAGE ? (people.at(-1)?.id ?? null) : null };
}

/**
 * Serializes changes of roles and accounts until the commit: two administrators who deactivate each other must not
 * both succeed.
 */
export function lockPeople(db: Db): Promise<void> {
  return run(db)`select pg_advisory_xact_lock(hashtextextended('people', 0))`;
}

/** A shared lock, for work that relies on desks being staffed. */
export function lockPeopleShared(db: Db): Promise<void> {
  return run(db)`select pg_advisory_xact_lock_shared(hashtextextended('people', 0))`;
}

/** The session's current role; undefined if the session has ended. */
export function roleOfSession(db: Db, sessionId: string): Promise<string | undefined> {
  return value<string>(db)`
    select staff.role from staff_sessions session join staff on staff.id = session.staff_id
    where session.id = ${sessionId} and session.revoked_at is null and session.expires_at > now() and staff.active`;
}

/** Which of these desks have no staff or do not exist. */
export function findUnstaffedDesks(db: Db, aliases: readonly string[]): Promise<string[]> {
  return column<string>(db)`
    select desk.alias from unnest(${aliases}::text[]) as desk (alias)
    where not exists (
      select from ${DESK_PEOPLE} where d.alias = desk.alias
    )`;
}

/** Work moves only between desks of one profile. */
export function areOfTwoProfiles(db: Db, from: string, to: string): Promise<boolean> {
  return exists(db)`
    select from handlers a join handlers b on b.profile <> a.profile where a.alias = ${from} and b.alias = ${to}`;
}

export function hasOtherAdmin(db: Db, id: string): Promise<boolean> {
  return exists(db)`
    select from staff where role = 'admin' and active and password_hash is not null and id <> ${id} limit 1`;
}

export function hasOtherStaffAt(db: Db, alias: string, exceptId: string | null = null): Promise<boolean> {
  return exists(db)`
    select from ${DESK_PEOPLE} where d.alias = ${alias} and s.id is distinct from ${exceptId}::uuid limit 1`;
}

/** False if the e-mail address is taken; that ends the transaction. */
export async function updatePerson(
  db: Db,
  id: string,
  { name, email, role, desks }: Omit<PersonDraft, 'alias' | 'desks'> & { desks: readonly string[] },
  { promoted = false }: { promoted?: boolean } = {},
): Promise<boolean> {
  // A promoted administrator gets the full grace period for a second factor.
  const grace = promoted ? sql`, grace_from = now()` : sql``;
  try {
    const off = await column<string>(db)`select alias from desk_staff where staff_id = ${id} and off`;
    await run(db)`
      update staff set name = ${name}, email = ${email}, role = ${role}, alias = ${desks[0] ?? null}${grace} where id = ${id}`;
    await writeDesks(db, id, desks);
    // Changing the first desk deletes its row and adds it again, on duty.
    if (off.length > 0 && desks.length > 1)
      await run(db)`update desk_staff set off = true where staff_id = ${id} and alias = any (${off}::text[])`;
    return true;
  } catch (error) {
    if (violatedIndex(error) === 'staff_email') return false;
    throw error;
  }
}

export function setActive(db: Db, id: string, active: boolean): Promise<void> {
  return run(db)`update staff set active = ${active} where id = ${id}`;
}

/** Notifications follow the person to the new desk; without a desk they end. */
export function movePushSubscriptions(db: Db, staffId: string, alias: string | null): Promise<void> {
  return alias === null
    ? run(db)`delete from push_subscriptions where staff_id = ${staffId}`
    : run(db)`update push_subscriptions set alias = ${alias} where staff_id = ${staffId}`;
}

import { column, type Db, first, one, raw, rows, run, type Sql, sql } from '../platform/db/query.ts';
import type { Ends } from './copyRows.store.ts';
import { removeStaff } from './removeStaff.store.ts';

/** Statements on the cell that a desk moves to. All but the last run in one transaction. */

/** `unfinished`: an earlier move from the same cell was interrupted. */
export async function findDesk(
  target: Db,
  alias: string,
  fromCell: string,
): Promise<'none' | 'unfinished' | 'taken'> {
  const found = await one<{ taken: boolean; unfinished: boolean }>(target)`
    select exists (select from desk_staff where alias = ${alias})
        or exists (select from invites where handler_alias = ${alias})
        or exists (select from conversations where handler_alias = ${alias}) as taken,
      exists (select from arriving_desks where alias = ${alias} and from_cell = ${fromCell}) as unfinished`;
  if (found.unfinished) return 'unfinished';
  return found.taken ? 'taken' : 'none';
}

/** Why the desk cannot be in the other cell: it needs the same profile there, so that visitors see no change. */
export async function profileProblem({ source, target }: Ends, alias: string): Promise<string | undefined> {
  const desk = await first<{ profile: string }>(source)`select profile from handlers where alias = ${alias}`;
  const there = await one<{ exists: boolean; other: string | null }>(target)`
    select exists (select from profiles where slug = ${desk?.profile}),
      (select profile from handlers where alias = ${alias} and profile <> ${desk?.profile}) as other`;
  if (!there.exists) return `The other cell has no profile ${desk?.profile}. Add it there first.`;
  if (there.other === null) return undefined;
  return `The desk ${alias} of the other cell belongs to the profile ${there.other}.`;
}

/** E-mail addresses of the desk that other people have in the other cell. */
export async function takenEmails({ source, target }: Ends, alias: string): Promise<string[]> {
  const people = await rows<{ id: string; email: string }>(source)`
    select id, lower(email) as email from staff where alias = ${alias}`;
  return column<string>(target)`
    select t.email
    from staff s join unnest(
      ${people.map(({ id }) => id)}::uuid[], ${people.map(({ email }) => email)}::text[]
    ) as t (id, email) on lower(s.email) = t.email and s.id <> t.id`;
}

export async function insertDesk({ source, target }: Ends, alias: string, fromCell: string): Promise<void> {
  await run(target)`
    insert into arriving_desks (alias, from_cell) values (${alias}, ${fromCell}) on conflict do nothing`;
  const desk = await first<{ created: Date; name: string | null; profile: string }>(source)`
    select created_at as created, name, profile from handlers where alias = ${alias}`;
  await run(target)`
    insert into handlers (alias, created_at, name, profile)
    values (${alias}, ${desk?.created}, ${desk?.name}, ${desk?.profile}) on conflict do nothing`;
}

/**
 * The people of the desk, and those who wrote notes in its conversations. The latter are only names: without a desk, a
 * password or an address. Someone who was here before gets the account back.
 */
export async function copyStaff({ source, target, tables }: Ends, alias: string): Promise<void> {
  const people = await column<object>(source)`
    select to_jsonb(s) || case when s.alias = ${alias} then '{}' else jsonb_build_object('email', s.id || '@moved.invalid',
        'password_hash', null, 'role', 'none', 'alias', null, 'active', false) end
    from staff s
    where s.alias = ${alias} or s.id in (
      select n.author_id from notes n join conversations c on c.id = n.conversation_id where c.handler_alias = ${alias}
    )`;
  const columns = tables.find(({ name }) => name === 'staff')?.columns ?? [];
  await run(target)`
    insert into staff (${raw(columns.join(', '))})
    select ${raw(columns.join(', '))} from jsonb_populate_recordset(null::staff, ${JSON.stringify(people)})
    on conflict (id) do update set ${raw(columns.map((each) => `${each} = excluded.${each}`).join(', '))}
    where excluded.alias is not null`;
}

const visitorsOf = (alias: string): Sql => sql`
  select d.visitor_id from devices d join conversations c on c.id = d.conversation_id
  where c.handler_alias = ${alias}`;

/** Names, notifications, and that their cookies are of another cell. A visitor who has another chat in the other cell keeps those from there. */
export async function copyVisitors({ source, target }: Ends, alias: string): Promise<void> {
  await run(target)`insert into arrived_visitors ${visitorsOf(alias)} on conflict do nothing`;
  for (const [name, where] of [
    ['visitor_profiles', sql`visitor_id in (${visitorsOf(alias)})`],
    ['push_subscriptions', sql`visitor_id in (${visitorsOf(alias)}) or alias = ${alias}`],
  ] as const) {
    const table = raw(name);
    const found = await column<object>(source)`select to_jsonb(t) from ${table} t where ${where}`;
    await run(target)`
      insert into ${table} select * from jsonb_populate_recordset(null::${table}, ${JSON.stringify(found)})
      on conflict do nothing`;
  }
}

/** Removes people of a desk that did not arrive, before its rows. Names of visitors stay if they have another chat here. */
export async function removeArrival(target: Db, alias: string): Promise<void> {
  const alone = sql`${visitorsOf(alias)} and not exists (
    select from devices o join conversations oc on oc.id = o.conversation_id
    where o.visitor_id = d.visitor_id and oc.handler_alias <> ${alias}
  )`;
  for (const table of ['visitor_profiles', 'arrived_visitors', 'push_subscriptions'])
    await run(target)`delete from ${raw(table)} where visitor_id in (${alone})`;
  await run(target)`delete from push_subscriptions where alias = ${alias}`;
  for (const table of ['search_heads', 'search_due', 'search_entries', 'conversation_views', 'api_key_reads'])
    await run(target)`
      delete from ${raw(table)}
      where conversation_id in (select id from conversations where handler_alias = ${alias})`;
  await removeStaff(target, alias);
}

/** Triggers counted the copied rows as new ones. The dashboard of the first cell keeps counting them. */
export async function undoCounts(target: Db, alias: string): Promise<void> {
  await run(target)`
    insert into figures_fresh (quarter, conversations, alias)
    select date_bin('15 minutes', created_at, 'epoch'), -count(*), ${alias} from conversations
    where handler_alias = ${alias} group by 1`;
  await run(target)`
    insert into figures_fresh (quarter, invites, opened, started, alias)
    select date_bin('15 minutes', created_at, 'epoch'), -count(*), -count(coalesce(seen_at, bound_at)), -count(bound_at), ${alias}
    from invites where handler_alias = ${alias} group by 1`;
}

/** What comes back is no longer elsewhere. */
export function forgetMoved(target: Db, alias: string): Promise<void> {
  return run(target)`delete from moved where key in (${movedKeys(alias)})`;
}

/** Everything by which a browser can ask for the desk. */
export const movedKeys = (alias: string): Sql => sql`
  select convert_to(${alias}, 'UTF8')
  union select token_hash from invites where handler_alias = ${alias}
    and not exists (select from conversations c where c.invite_id = invites.id)
  union select i.token_hash from invites i join conversations c on c.invite_id = i.id
    where c.handler_alias = ${alias}
  union select uuid_send(id) from conversations where handler_alias = ${alias}
  union select uuid_send(d.visitor_id) from devices d join conversations c on c.id = d.conversation_id
    where c.handler_alias = ${alias}
  union select unnest(array[s.token_hash, s.previous_hash, uuid_send(s.id)]) from staff_sessions s
    join staff p on p.id = s.staff_id where p.alias = ${alias}`;

type Code = { id: string; codeHash: Buffer; codeNumber: number };

/** Replaces what is keyed with the SECRET of the first cell. */
export async function replaceKeyed(
  target: Db,
  alias: string,
  replace: {
    code(invite: Code): Buffer | null;
    totp(staffId: string, secret: Buffer): Buffer | undefined;
    mail(conversationId: string, address: Buffer): Buffer | undefined;
  },
): Promise<void> {
  const codes = await rows<Code>(target)`
    select id, code_hash as "codeHash", code_number as "codeNumber" from invites
    where handler_alias = ${alias} and code_hash is not null`;
  await run(target)`
    update invites i set code_hash = c.hash
    from unnest(${codes.map(({ id }) => id)}::uuid[], ${codes.map(replace.code)}::bytea[]) as c (id, hash)
    where i.id = c.id`;
  const totps = await rows<{ staffId: string; secret: Buffer }>(target)`
    select t.staff_id as "staffId", t.secret from staff_totp t join staff s on s.id = t.staff_id
    where s.alias = ${alias}`;
  for (const { staffId, secret } of totps) {
    const sealed = replace.totp(staffId, secret);
    if (sealed === undefined) await run(target)`delete from staff_totp where staff_id = ${staffId}`;
    else await run(target)`update staff_totp set secret = ${sealed} where staff_id = ${staffId}`;
  }
  const mails = await rows<{ id: string; address: Buffer | null }>(target)`
    select m.conversation_id as id, m.address from visitor_mails m join conversations c on c.id = m.conversation_id
    where c.handler_alias = ${alias}`;
  for (const { id, address } of mails) {
    const sealed = address === null ? undefined : replace.mail(id, address);
    // A code on its way is void.
    if (sealed === undefined) await run(target)`delete from visitor_mails where conversation_id = ${id}`;
    else
      await run(target)`
        update visitor_mails set address = ${sealed}, pending = null, code_hash = null, code_expires_at = null
        where conversation_id = ${id}`;
  }
}

/** Jobs are not copied. Only image processing must be queued again. */
export function queueImages(target: Db, alias: string): Promise<void> {
  return run(target)`
    select graphile_worker.add_job('processMedia', json_build_object('mediaId', m.id), job_key := 'processMedia ' || m.id)
    from media m join conversations c on c.id = m.conversation_id
    where m.state = 'working' and c.handler_alias = ${alias}`;
}

/** The desk has arrived. */
export function finishArrival(target: Db, alias: string): Promise<void> {
  return run(target)`delete from arriving_desks where alias = ${alias}`;
}

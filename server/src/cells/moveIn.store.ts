import type pg from 'pg';
import type { Ends } from './copyRows.store.ts';
import { removeStaff } from './removeStaff.store.ts';

/** Statements on the cell that a desk moves to. All but the last run in one transaction. */

/** `unfinished`: an earlier move from the same cell was interrupted. */
export async function findDesk(
  target: pg.Client,
  alias: string,
  fromCell: string,
): Promise<'none' | 'unfinished' | 'taken'> {
  const { rows } = await target.query<{ taken: boolean; unfinished: boolean }>(
    `select exists (select from staff where alias = $1) or exists (select from invites where handler_alias = $1)
         or exists (select from conversations where handler_alias = $1) as taken,
       exists (select from arriving_desks where alias = $1 and from_cell = $2) as unfinished`,
    [alias, fromCell],
  );
  if (rows[0]?.unfinished) return 'unfinished';
  return rows[0]?.taken ? 'taken' : 'none';
}

/** E-mail addresses of the desk that other people have in the other cell. */
export async function takenEmails({ source, target }: Ends, alias: string): Promise<string[]> {
  const { rows } = await source.query<{ id: string; email: string }>(
    'select id, lower(email) as email from staff where alias = $1',
    [alias],
  );
  const found = await target.query<{ email: string }>(
    `select t.email from staff s join unnest($1::uuid[], $2::text[]) as t (id, email)
       on lower(s.email) = t.email and s.id <> t.id`,
    [rows.map(({ id }) => id), rows.map(({ email }) => email)],
  );
  return found.rows.map(({ email }) => email);
}

export async function insertDesk({ source, target }: Ends, alias: string, fromCell: string): Promise<void> {
  await target.query('insert into arriving_desks (alias, from_cell) values ($1, $2) on conflict do nothing', [
    alias,
    fromCell,
  ]);
  const { rows } = await source.query<{ created: Date; name: string | null }>(
    'select created_at as created, name from handlers where alias = $1',
    [alias],
  );
  await target.query(
    'insert into handlers (alias, created_at, name) values ($1, $2, $3) on conflict do nothing',
    [alias, rows[0]?.created, rows[0]?.name],
  );
}

/**
 * The people of the desk, and those who wrote notes in its conversations. The latter are only names: without a desk, a
 * password or an address. Someone who was here before gets the account back.
 */
export async function copyStaff({ source, target, tables }: Ends, alias: string): Promise<void> {
  const { rows } = await source.query<{ staff: object }>(
    `select to_jsonb(s) || case when s.alias = $1 then '{}' else jsonb_build_object('email', s.id || '@moved.invalid',
         'password_hash', null, 'role', 'none', 'alias', null, 'active', false) end as staff
     from staff s
     where s.alias = $1 or s.id in (
       select n.author_id from notes n join conversations c on c.id = n.conversation_id where c.handler_alias = $1
     )`,
    [alias],
  );
  const columns = tables.find(({ name }) => name === 'staff')?.columns ?? [];
  await target.query(
    `insert into staff (${columns.join(', ')})
     select ${columns.join(', ')} from jsonb_populate_recordset(null::staff, $1)
     on conflict (id) do update set ${columns.map((each) => `${each} = excluded.${each}`).join(', ')}
     where excluded.alias is not null`,
    [JSON.stringify(rows.map(({ staff }) => staff))],
  );
}

const OF_DESK = `select d.visitor_id from devices d join conversations c on c.id = d.conversation_id
  where c.handler_alias = $1`;

/** Names, notifications, and that their cookies are of another cell. A visitor who has another chat in the other cell keeps those from there. */
export async function copyVisitors({ source, target }: Ends, alias: string): Promise<void> {
  await target.query(`insert into arrived_visitors ${OF_DESK} on conflict do nothing`, [alias]);
  for (const [table, where] of [
    ['visitor_profiles', `visitor_id in (${OF_DESK})`],
    ['push_subscriptions', `visitor_id in (${OF_DESK}) or alias = $1`],
  ] as const) {
    const { rows } = await source.query<{ row: object }>(
      `select to_jsonb(t) as row from ${table} t where ${where}`,
      [alias],
    );
    await target.query(
      `insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1) on conflict do nothing`,
      [JSON.stringify(rows.map(({ row }) => row))],
    );
  }
}

/** Removes people of a desk that did not arrive, before its rows. Names of visitors stay if they have another chat here. */
export async function removeArrival(target: pg.Client, alias: string): Promise<void> {
  const alone = `${OF_DESK} and not exists (
    select from devices o join conversations oc on oc.id = o.conversation_id
    where o.visitor_id = d.visitor_id and oc.handler_alias <> $1
  )`;
  for (const table of ['visitor_profiles', 'arrived_visitors', 'push_subscriptions'])
    await target.query(`delete from ${table} where visitor_id in (${alone})`, [alias]);
  await target.query('delete from push_subscriptions where alias = $1', [alias]);
  for (const table of ['search_heads', 'search_due', 'search_entries', 'conversation_views', 'api_key_reads'])
    await target.query(
      `delete from ${table} where conversation_id in (select id from conversations where handler_alias = $1)`,
      [alias],
    );
  await removeStaff(target, alias);
}

/** Triggers counted the copied rows as new ones. The dashboard of the first cell keeps counting them. */
export async function undoCounts(target: pg.Client, alias: string): Promise<void> {
  await target.query(
    `insert into figures_fresh (quarter, conversations)
     select date_bin('15 minutes', created_at, 'epoch'), -count(*) from conversations where handler_alias = $1 group by 1`,
    [alias],
  );
  await target.query(
    `insert into figures_fresh (quarter, invites, opened, started)
     select date_bin('15 minutes', created_at, 'epoch'), -count(*), -count(coalesce(seen_at, bound_at)), -count(bound_at)
     from invites where handler_alias = $1 group by 1`,
    [alias],
  );
}

/** What comes back is no longer elsewhere. */
export async function forgetMoved(target: pg.Client, alias: string): Promise<void> {
  await target.query(`delete from moved where key in (${MOVED_KEYS})`, [alias]);
}

/** Everything by which a browser can ask for the desk. */
export const MOVED_KEYS = `
  select convert_to($1, 'UTF8')
  union select token_hash from invites where handler_alias = $1
    and not exists (select from conversations c where c.invite_id = invites.id)
  union select i.token_hash from invites i join conversations c on c.invite_id = i.id where c.handler_alias = $1
  union select uuid_send(id) from conversations where handler_alias = $1
  union select uuid_send(d.visitor_id) from devices d join conversations c on c.id = d.conversation_id
    where c.handler_alias = $1
  union select unnest(array[s.token_hash, s.previous_hash, uuid_send(s.id)]) from staff_sessions s
    join staff p on p.id = s.staff_id where p.alias = $1`;

type Code = { id: string; codeHash: Buffer; codeNumber: number };

/** Replaces what is keyed with the SECRET of the first cell. */
export async function replaceKeyed(
  target: pg.Client,
  alias: string,
  replace: {
    code(invite: Code): Buffer | null;
    totp(staffId: string, secret: Buffer): Buffer | undefined;
    mail(conversationId: string, address: Buffer): Buffer | undefined;
  },
): Promise<void> {
  const codes = await target.query<Code>(
    `select id, code_hash as "codeHash", code_number as "codeNumber" from invites
     where handler_alias = $1 and code_hash is not null`,
    [alias],
  );
  await target.query(
    `update invites i set code_hash = c.hash from unnest($1::uuid[], $2::bytea[]) as c (id, hash) where i.id = c.id`,
    [codes.rows.map(({ id }) => id), codes.rows.map(replace.code)],
  );
  const totps = await target.query<{ staffId: string; secret: Buffer }>(
    `select t.staff_id as "staffId", t.secret from staff_totp t join staff s on s.id = t.staff_id where s.alias = $1`,
    [alias],
  );
  for (const { staffId, secret } of totps.rows) {
    const sealed = replace.totp(staffId, secret);
    if (sealed === undefined) await target.query('delete from staff_totp where staff_id = $1', [staffId]);
    else await target.query('update staff_totp set secret = $2 where staff_id = $1', [staffId, sealed]);
  }
  const mails = await target.query<{ id: string; address: Buffer | null }>(
    `select m.conversation_id as id, m.address from visitor_mails m join conversations c on c.id = m.conversation_id
     where c.handler_alias = $1`,
    [alias],
  );
  for (const { id, address } of mails.rows) {
    const sealed = address === null ? undefined : replace.mail(id, address);
    // A code on its way is void.
    if (sealed === undefined)
      await target.query('delete from visitor_mails where conversation_id = $1', [id]);
    else
      await target.query(
        `update visitor_mails set address = $2, pending = null, code_hash = null, code_expires_at = null
         where conversation_id = $1`,
        [id, sealed],
      );
  }
}

/** Jobs are not copied. Only image processing must be queued again. */
export async function queueImages(target: pg.Client, alias: string): Promise<void> {
  await target.query(
    `select graphile_worker.add_job('processMedia', json_build_object('mediaId', m.id), job_key := 'processMedia ' || m.id)
     from media m join conversations c on c.id = m.conversation_id
     where m.state = 'working' and c.handler_alias = $1`,
    [alias],
  );
}

/** The desk has arrived. */
export async function finishArrival(target: pg.Client, alias: string): Promise<void> {
  await target.query('delete from arriving_desks where alias = $1', [alias]);
}

import type pg from 'pg';
import { inTransaction } from '../platform/db/withClient.ts';
import { MOVED_KEYS } from './moveIn.store.ts';
import { removeStaff } from './removeStaff.store.ts';

/** Statements on the cell that a desk leaves. */

/** Conversations per transaction. */
const STEP = 500;

/** Lets this session change a desk that is fenced. */
export async function passFence(source: pg.Client, alias: string): Promise<void> {
  await source.query("select set_config('settee.moves', $1, false)", [alias]);
}

/** Administrators at the desk would lose their cell. */
export async function administratorsAt(source: pg.Client, alias: string): Promise<string[]> {
  const { rows } = await source.query<{ email: string }>(
    "select email from staff where alias = $1 and role = 'admin'",
    [alias],
  );
  return rows.map(({ email }) => email);
}

export async function isDesk(source: pg.Client, alias: string): Promise<boolean> {
  const { rowCount } = await source.query('select from handlers where alias = $1', [alias]);
  return rowCount === 1;
}

/** The cell that has the desk now; undefined if it never left. */
export async function deskMovedTo(source: pg.Client, alias: string): Promise<string | undefined> {
  const { rows } = await source.query<{ cell: string }>(
    "select cell from moved where key = convert_to($1, 'UTF8')",
    [alias],
  );
  return rows[0]?.cell;
}

/** The desk was here before, moved, and came back under the same name. */
export async function forgetDeskMoved(source: pg.Client, alias: string): Promise<void> {
  await source.query("delete from moved where key = convert_to($1, 'UTF8')", [alias]);
}

/** From this commit on, the gateways send the people of the desk to the other cell. */
export async function switchDesk(source: pg.Client, alias: string, cell: string): Promise<void> {
  await source.query(
    `insert into moved (key, cell)
     select k.key, $2 from (${MOVED_KEYS}) as k (key) where k.key is not null
     on conflict (key) do update set cell = excluded.cell, moved_at = now()`,
    [alias, cell],
  );
  await source.query(
    `delete from push_subscriptions s where s.alias = $1 or (
       s.visitor_id in (
         select d.visitor_id from devices d join conversations c on c.id = d.conversation_id where c.handler_alias = $1
       )
       and not exists (
         select from devices d join conversations c on c.id = d.conversation_id
         where d.visitor_id = s.visitor_id and d.revoked_at is null and c.handler_alias <> $1
       )
     )`,
    [alias],
  );
  await source.query(
    `delete from visitor_profiles p using devices d, conversations c
     where d.visitor_id = p.visitor_id and c.id = d.conversation_id and c.handler_alias = $1
       and not exists (
         select from devices other join conversations oc on oc.id = other.conversation_id
         where other.visitor_id = p.visitor_id and other.revoked_at is null and oc.handler_alias <> $1
       )`,
    [alias],
  );
  await source.query(
    'delete from devices d using conversations c where c.id = d.conversation_id and c.handler_alias = $1',
    [alias],
  );
  // The next sweep finds the change and closes the sockets of its people, who then go to the other cell.
  await source.query('update conversations set rev = rev + 1 where handler_alias = $1', [alias]);
  await removeStaff(source, alias);
}

/**
 * Removes what was copied, in steps. Safe to repeat. The desk's name stays: gateways still note its presence until its
 * consoles have left.
 */
export async function removeDesk(source: pg.Client, alias: string): Promise<void> {
  for (;;) {
    const { rows } = await source.query<{ id: string; inviteId: string }>(
      'select id, invite_id as "inviteId" from conversations where handler_alias = $1 limit $2',
      [alias, STEP],
    );
    if (rows.length === 0) break;
    const ids = rows.map(({ id }) => id);
    await inTransaction(source, async () => {
      for (const table of [
        ...[
          'messages',
          'search_heads',
          'search_due',
          'search_entries',
          'conversation_views',
          'api_key_reads',
          'push_due',
          'visitor_mails',
          'notes',
        ],
        ...['media', 'blocks', 'devices'],
      ])
        await source.query(`delete from ${table} where conversation_id = any ($1::uuid[])`, [ids]);
      await source.query('delete from conversations where id = any ($1::uuid[])', [ids]);
      await source.query('delete from invites where id = any ($1::uuid[])', [
        rows.map(({ inviteId }) => inviteId),
      ]);
    });
  }
  await source.query(
    'delete from invites i where handler_alias = $1 and not exists (select from conversations c where c.invite_id = i.id)',
    [alias],
  );
  await source.query('delete from desk_hours where alias = $1', [alias]);
}

export type DeskObject = { path: string; type: string; bytes: number };

/** The objects of the desk's images. An upload that has just begun may have none yet. */
export async function readObjects(client: pg.Client, alias: string): Promise<DeskObject[]> {
  const { rows } = await client.query<DeskObject>(
    `select case m.state when 'ready' then m.path else m.staged_path end as path,
       case m.state when 'ready' then m.media_type else m.staged_type end as type,
       case m.state when 'ready' then m.bytes else m.staged_bytes end as bytes
     from media m join conversations c on c.id = m.conversation_id
     where c.handler_alias = $1 and m.state <> 'refused'`,
    [alias],
  );
  return rows;
}

import type pg from 'pg';
import { column, type Db, exists, raw, rows, run, value } from '../platform/db/query.ts';
import { inTransaction } from '../platform/db/withClient.ts';
import { movedKeys } from './moveIn.store.ts';
import { removeStaff } from './removeStaff.store.ts';

/** Statements on the cell that a desk leaves. */

/** Conversations per transaction. */
const STEP = 500;

/** With the rows of a conversation, which go last. */
const OF_CONVERSATION = [
  ...['messages', 'search_heads', 'search_due', 'search_entries', 'conversation_views', 'api_key_reads'],
  ...['push_due', 'visitor_mails', 'notes', 'media', 'blocks', 'devices'],
];

/** Lets this session change a desk that is fenced. */
export function passFence(source: Db, alias: string): Promise<void> {
  return run(source)`select set_config('settee.moves', ${alias}, false)`;
}

/** Those at the desk who would lose their cell: administrators, and people with other desks. */
export function tiedToCell(source: Db, alias: string): Promise<string[]> {
  return column<string>(source)`
    select s.email from desk_staff d join staff s on s.id = d.staff_id
    where d.alias = ${alias} and (s.role = 'admin' or exists (
      select from desk_staff o where o.staff_id = s.id and o.alias <> d.alias
    ))
    order by s.email`;
}

export function isDesk(source: Db, alias: string): Promise<boolean> {
  return exists(source)`select from handlers where alias = ${alias}`;
}

/** The cell that has the desk now; undefined if it never left. */
export function deskMovedTo(source: Db, alias: string): Promise<string | undefined> {
  return value<string>(source)`select cell from moved where key = convert_to(${alias}, 'UTF8')`;
}

/** The desk was here before, moved, and came back under the same name. */
export function forgetDeskMoved(source: Db, alias: string): Promise<void> {
  return run(source)`delete from moved where key = convert_to(${alias}, 'UTF8')`;
}

/** From this commit on, the gateways send the people of the desk to the other cell. */
export async function switchDesk(source: Db, alias: string, cell: string): Promise<void> {
  await run(source)`
    insert into moved (key, cell)
    select k.key, ${cell} from (${movedKeys(alias)}) as k (key) where k.key is not null
    on conflict (key) do update set cell = excluded.cell, moved_at = now()`;
  await run(source)`
    delete from push_subscriptions s where s.alias = ${alias} or (
      s.visitor_id in (
        select d.visitor_id from devices d join conversations c on c.id = d.conversation_id
        where c.handler_alias = ${alias}
      )
      and not exists (
        select from devices d join conversations c on c.id = d.conversation_id
        where d.visitor_id = s.visitor_id and d.revoked_at is null and c.handler_alias <> ${alias}
      )
    )`;
  await run(source)`
    delete from visitor_profiles p using devices d, conversations c
    where d.visitor_id = p.visitor_id and c.id = d.conversation_id and c.handler_alias = ${alias}
      and not exists (
        select from devices other join conversations oc on oc.id = other.conversation_id
        where other.visitor_id = p.visitor_id and other.revoked_at is null and oc.handler_alias <> ${alias}
      )`;
  await run(source)`
    delete from devices d using conversations c where c.id = d.conversation_id and c.handler_alias = ${alias}`;
  // The next sweep finds the change and closes the sockets of its people, who then go to the other cell.
  await run(source)`update conversations set rev = rev + 1 where handler_alias = ${alias}`;
  await removeStaff(source, alias);
}

/**
 * Removes what was copied, in steps. Safe to repeat. The desk's name stays: gateways still note its presence until its
 * consoles have left.
 */
export async function removeDesk(source: pg.Client, alias: string): Promise<void> {
  for (;;) {
    const left = await rows<{ id: string; inviteId: string }>(source)`
      select id, invite_id as "inviteId" from conversations where handler_alias = ${alias} limit ${STEP}`;
    if (left.length === 0) break;
    const ids = left.map(({ id }) => id);
    await inTransaction(source, async () => {
      for (const table of OF_CONVERSATION)
        await run(source)`delete from ${raw(table)} where conversation_id = any (${ids}::uuid[])`;
      await run(source)`delete from conversations where id = any (${ids}::uuid[])`;
      await run(source)`delete from invites where id = any (${left.map(({ inviteId }) => inviteId)}::uuid[])`;
    });
  }
  await run(source)`
    delete from invites i where handler_alias = ${alias}
      and not exists (select from conversations c where c.invite_id = i.id)`;
  await run(source)`delete from desk_hours where alias = ${alias}`;
}

export type DeskObject = { path: string; type: string; bytes: number };

/** The objects of the desk's images. An upload that has just begun may have none yet. */
export function readObjects(db: Db, alias: string): Promise<DeskObject[]> {
  return rows<DeskObject>(db)`
    select case m.state when 'ready' then m.path else m.staged_path end as path,
      case m.state when 'ready' then m.media_type else m.staged_type end as type,
      case m.state when 'ready' then m.bytes else m.staged_bytes end as bytes
    from media m join conversations c on c.id = m.conversation_id
    where c.handler_alias = ${alias} and m.state <> 'refused'`;
}

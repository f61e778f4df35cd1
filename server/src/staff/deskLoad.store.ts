import { LEFT_DESKS_SHOWN, type LeftDesk } from '@settee/protocol/calls/deskCalls';
import { DESK_PEOPLE } from '../platform/db/deskPeople.ts';
import { affected, column, type Db, one, rows } from '../platform/db/query.ts';

/** Open conversations and unused invites, which an unstaffed desk must not have. */
export type DeskLoad = { conversations: number; invites: number };

export function readDeskLoad(db: Db, alias: string): Promise<DeskLoad> {
  return one<DeskLoad>(db)`
    select
      (select count(*)::integer from conversations
       where handler_alias = ${alias} and status = 'open') as conversations,
      (select count(*)::integer from invites
       where handler_alias = ${alias} and state in ('NEW', 'SEEN')) as invites`;
}

/** The load of unstaffed desks. Few desks, each read by index. */
export function readLeftDesks(db: Db): Promise<LeftDesk[]> {
  return rows<LeftDesk>(db)`
    select h.alias, c.count as conversations, i.count as invites
    from handlers h
    cross join lateral (
      select count(*)::integer from conversations where handler_alias = h.alias and status = 'open'
    ) c
    cross join lateral (
      select count(*)::integer from invites where handler_alias = h.alias and state in ('NEW', 'SEEN')
    ) i
    where not exists (
      select from ${DESK_PEOPLE} where d.alias = h.alias
    ) and c.count + i.count > 0
    order by h.alias collate "C" limit ${LEFT_DESKS_SHOWN}`;
}

/** Open conversations of a desk, longest waiting first. */
export function listOpenConversations(db: Db, alias: string, limit: number): Promise<string[]> {
  return column<string>(db)`
    select id from conversations where handler_alias = ${alias} and status = 'open'
    order by waiting_since nulls last, id limit ${limit}`;
}

/** Returns the number of moved invites. One claimed meanwhile moves as a conversation. */
export function moveUnusedInvites(
  db: Db,
  { from, to, limit }: { from: string; to: string; limit: number },
): Promise<number> {
  return affected(db)`
    update invites set handler_alias = ${to}
    where id in (
      select id from invites where handler_alias = ${from} and state in ('NEW', 'SEEN') limit ${limit}
    ) and state in ('NEW', 'SEEN')`;
}

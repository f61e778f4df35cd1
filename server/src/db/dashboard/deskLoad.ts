import { LEFT_DESKS_SHOWN, type LeftDesk } from '@settee/protocol/calls/peopleCalls';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../engine/tables.ts';

type Queries = Kysely<Tables>;

/** Open conversations and unused invites, which an unstaffed desk must not have. */
export type DeskLoad = { conversations: number; invites: number };

const UNUSED = ['NEW', 'SEEN'] as const;

export async function readDeskLoad(db: Queries, alias: string): Promise<DeskLoad> {
  const { rows } = await sql<DeskLoad>`
    select
      (select count(*)::integer from conversations
       where handler_alias = ${alias} and status = 'open') as conversations,
      (select count(*)::integer from invites
       where handler_alias = ${alias} and state in ('NEW', 'SEEN')) as invites`.execute(db);
  return rows[0] ?? { conversations: 0, invites: 0 };
}

/** The load of unstaffed desks. Few desks, each read by index. */
export async function readLeftDesks(db: Queries): Promise<LeftDesk[]> {
  const { rows } = await sql<LeftDesk>`
    select h.alias, c.count as conversations, i.count as invites
    from handlers h
    cross join lateral (
      select count(*)::integer from conversations where handler_alias = h.alias and status = 'open'
    ) c
    cross join lateral (
      select count(*)::integer from invites where handler_alias = h.alias and state in ('NEW', 'SEEN')
    ) i
    where not exists (
      select from staff s where s.alias = h.alias and s.active and s.role in ('handler', 'admin')
    ) and c.count + i.count > 0
    order by h.alias collate "C" limit ${LEFT_DESKS_SHOWN}`.execute(db);
  return rows;
}

/** Open conversations of a desk, longest waiting first. */
export async function listOpenConversations(db: Queries, alias: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('conversations')
    .select('id')
    .where('handler_alias', '=', alias)
    .where('status', '=', 'open')
    .orderBy(sql`waiting_since nulls last`)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/** Returns the number of moved invites. One claimed meanwhile moves as a conversation. */
export async function moveUnusedInvites(
  db: Queries,
  { from, to, limit }: { from: string; to: string; limit: number },
): Promise<number> {
  const result = await db
    .updateTable('invites')
    .set({ handler_alias: to })
    .where('id', 'in', (query) =>
      query
        .selectFrom('invites')
        .select('id')
        .where('handler_alias', '=', from)
        .where('state', 'in', UNUSED)
        .limit(limit),
    )
    .where('state', 'in', UNUSED)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

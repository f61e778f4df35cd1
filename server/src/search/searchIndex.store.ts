import { UNNAMED } from '@settee/protocol/model/visitor';
import type pg from 'pg';
import { DIFFERS } from '../conversations/searchDue.store.ts';
import type { Database } from '../platform/db/database.ts';
import { withStatementTimeout } from '../platform/db/statementTimeout.ts';

/**
 * Work per statement: about 0.1 to 0.2 s. Limited in bytes too, because a long message of ideographs has thousands of
 * words.
 */
type Size = { messages: number; bytes: number };
const SLICE: Size = { messages: 500, bytes: 40_000 };
/** After a timeout: slow, but always progresses. Takes at least one message. */
const SMALL_SLICE: Size = { messages: 10, bytes: 10_000 };
const CONVERSATIONS = 500;

/** By index: estimates for new tables led the planner to scan all messages. */
export const SLICE_SESSION = `set local jit = off; set local max_parallel_workers_per_gather = 0;
  set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off`;

export type Indexing = {
  /** The desk to index; null for all. */
  alias: string | null;
  /** Open conversations, which change while nobody searches; marked ones; or both. */
  what: 'open' | 'due' | 'all';
  /** Wait for another gateway's locks, or skip. */
  wait: boolean;
  ms: number;
};

/** 'late': incomplete for now, because of a timeout or another gateway. */
export type Indexed = 'done' | 'more' | 'late';

/** Open conversations that differ from the index, most recently active first. Reads the open ones only. */
export const OPEN_BEHIND = `
  select c.id, h.conversation_id is null as unknown
  from conversations c left join search_heads h on h.conversation_id = c.id
  where ($1::text is null or c.handler_alias = $1) and c.status = 'open' and ${DIFFERS}
  order by c.last_message_at desc limit $2`;

/** Marked conversations, the newest marks first. */
export const DUE = `
  select d.conversation_id as id, h.conversation_id is null as unknown, d.id::text as due
  from (
    select d.id, d.conversation_id from search_due d where $1::text is null or d.alias = $1
    order by d.id desc limit $2
  ) d left join search_heads h on h.conversation_id = d.conversation_id`;

/** A conversation unknown to the index first needs a row to lock. */
const MEET = `
  insert into search_heads (conversation_id)
  select c.id from conversations c where c.id = any ($1::uuid[]) order by c.id
  on conflict do nothing`;

/**
 * A separate statement, so that the next one reads the latest data. In one statement PostgreSQL would recheck changed
 * rows, and 18.4 may crash on that with a partitioned table.
 */
export const LOCK = (wait: boolean) => `
  select conversation_id as id from search_heads where conversation_id = any ($1::uuid[])
  order by conversation_id for update${wait ? '' : ' skip locked'}`;

/**
 * Indexes the next messages, most recently active conversations first. Index keys contain the desk, so after a
 * hand-over a conversation is indexed from its first message. Entries are upserted, so repeating is harmless. A label
 * that changes meanwhile resets the head; the next slice indexes it.
 */
export const TAKE = `
  with due as (
    select c.id, c.last_seq, c.handler_alias, c.visitor_id, c.visitor_name, c.invite_id, c.created_at, c.last_message_at,
      case when h.alias is distinct from c.handler_alias then 0 else h.seq end as seq,
      h.alias is distinct from c.handler_alias or h.visitor_name is distinct from c.visitor_name as renamed
    from conversations c join search_heads h on h.conversation_id = c.id
    where c.id = any ($1::uuid[])
  ),
  counted as (
    select d.*, row_number() over by_time as place,
      $2 - sum(greatest(d.last_seq - d.seq, 0)) over by_time + greatest(d.last_seq - d.seq, 0) as room
    from due d window by_time as (order by d.last_message_at desc, d.id)
  ),
  roomy as materialized (
    select t.*, greatest(t.seq, least(t.last_seq, t.seq + t.room))::integer as until from counted t where t.room > 0
  ),
  sized as materialized (
    select t.place, t.id, t.handler_alias, m.seq, m.created_at, m.text,
      sum(octet_length(m.text)) over (order by t.place, m.seq) - octet_length(m.text) < $4 as fits
    from roomy t
    join lateral (
      select m.seq, m.created_at, m.text from messages m
      where m.conversation_id = t.id and m.seq > t.seq and m.seq <= t.until
    ) m on true
  ),
  cut as materialized (
    select s.place, s.seq - 1 as until from sized s where not s.fits order by s.place, s.seq limit 1
  ),
  taken as materialized (
    select t.id, t.last_seq, t.handler_alias, t.visitor_id, t.visitor_name, t.invite_id, t.created_at, t.renamed,
      case when t.place = cut.place then cut.until else t.until end as until
    from roomy t left join cut on true
    where cut.place is null or t.place <= cut.place
  ),
  entries as (
    insert into search_entries (conversation_id, seq, created_at, words)
    select s.id, s.seq, s.created_at, search_vector(search_key(s.handler_alias, 'message'), s.text)
    from sized s where s.fits
    union all
    select t.id, 0, t.created_at, search_vector(search_key(t.handler_alias, 'name'), i.label || ' ' ||
      case when btrim(t.visitor_name) = any ($3) then 'V-' || t.visitor_id else t.visitor_name end)
    from taken t join invites i on i.id = t.invite_id
    where t.renamed
    on conflict (conversation_id, seq) do update set words = excluded.words
  ),
  moved as (
    update search_heads h set seq = t.until, alias = t.handler_alias, visitor_name = t.visitor_name
    from taken t where h.conversation_id = t.id
  )
  select t.id from taken t where t.until >= t.last_seq`;

/** The marks that were read before. A conversation may have been erased meanwhile. */
const UNMARK = `
  delete from search_due d where d.id = any ($1::bigint[])
    and (d.conversation_id = any ($2::uuid[]) or not exists (select from conversations c where c.id = d.conversation_id))`;

type Behind = { ids: string[]; marks: string[]; full: boolean };

export async function indexSlice(db: Database, indexing: Indexing): Promise<Indexed> {
  const limits = { ms: indexing.ms, settings: SLICE_SESSION };
  const behind = await withStatementTimeout(db, limits, (client) => findBehind(client, indexing));
  if (behind === undefined) return 'late';
  if (behind.ids.length === 0) return 'done';
  const take = (size: Size) =>
    withStatementTimeout(db, limits, (client) => takeSlice(client, behind, indexing.wait, size));
  const slice = (await take(SLICE)) ?? (await take(SMALL_SLICE));
  // Too slow, or another gateway has locked all of them.
  if (slice === undefined || slice.locked === 0) return 'late';
  return behind.full || slice.done < behind.ids.length ? 'more' : 'done';
}

async function findBehind(client: pg.PoolClient, { alias, what }: Indexing): Promise<Behind> {
  type Row = { id: string; unknown: boolean; due?: string };
  const read = async (query: string): Promise<Row[]> =>
    (await client.query<Row>(query, [alias, CONVERSATIONS])).rows;
  // Open ones first: one that ends between the statements then has a mark.
  const open = what === 'due' ? [] : await read(OPEN_BEHIND);
  const due = what === 'open' ? [] : await read(DUE);
  const found = [...open, ...due];
  const unknown = found.filter((row) => row.unknown).map(({ id }) => id);
  if (unknown.length > 0) await client.query(MEET, [unknown]);
  return {
    ids: [...new Set(found.map(({ id }) => id))],
    marks: due.flatMap((row) => row.due ?? []),
    full: Math.max(open.length, due.length) === CONVERSATIONS,
  };
}

async function takeSlice(
  client: pg.PoolClient,
  { ids, marks }: Behind,
  wait: boolean,
  { messages, bytes }: Size,
): Promise<{ locked: number; done: number }> {
  const locked = await idsOf(client, LOCK(wait), [ids]);
  const done = locked.length === 0 ? [] : await idsOf(client, TAKE, [locked, messages, [...UNNAMED], bytes]);
  if (marks.length > 0) await client.query(UNMARK, [marks, done]);
  return { locked: locked.length, done: done.length };
}

async function idsOf(client: pg.PoolClient, query: string, values: unknown[]): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(query, values);
  return rows.map(({ id }) => id);
}

import { UNNAMED } from '@settee/protocol/model/visitor';
import type pg from 'pg';
import type { Database } from '../engine/database.ts';
import { queryWithTimeout, withStatementTimeout } from '../engine/statementTimeout.ts';

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

/** The desk to index; null for all. */
export type Indexing = {
  alias: string | null;
  /** Only open conversations, which change while nobody searches. */
  open: boolean;
  /** Wait for another gateway's locks, or skip. */
  wait: boolean;
  ms: number;
};

/** 'late': incomplete for now, because of a timeout or another gateway. */
export type Indexed = 'done' | 'more' | 'late';

const WANTED = (open: boolean) =>
  `($1::text is null or c.handler_alias = $1)${open ? " and c.status = 'open'" : ''}`;

/** A conversation unknown to the index first needs a row to lock. */
const MEET = (open: boolean) => `
  with met as (insert into search_heads (conversation_id)
  select met.id from (
    select c.id from conversations c
    where ${WANTED(open)} and not exists (select from search_heads h where h.conversation_id = c.id)
    order by c.last_message_at desc limit $2
  ) met order by met.id
  on conflict do nothing returning 1)
  select count(*)::integer as met from met`;

/** Conversations with new messages, another desk or another name since they were indexed, newest first. */
export const BEHIND = (open: boolean) => `
  select c.id from conversations c join search_heads h on h.conversation_id = c.id
  where ${WANTED(open)}
    and (h.seq < c.last_seq or h.alias is distinct from c.handler_alias
      or h.visitor_name is distinct from c.visitor_name)
  order by c.last_message_at desc limit $2`;

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
  select count(*)::integer as done from taken t where t.until >= t.last_seq`;

type Slice = { behind: number; locked: number; done: number };

export async function indexSlice(db: Database, indexing: Indexing): Promise<Indexed> {
  const { alias, open, ms } = indexing;
  const limits = { ms, settings: SLICE_SESSION };
  const meet = { text: MEET(open), values: [alias, CONVERSATIONS] };
  const met = await queryWithTimeout<{ met: number }>(db, limits, meet);
  if (met === undefined) return 'late';
  const take = (size: Size) =>
    withStatementTimeout(db, limits, (client) => takeSlice(client, indexing, size));
  const slice = (await take(SLICE)) ?? (await take(SMALL_SLICE));
  if (slice === undefined) return 'late';
  // Another gateway has locked all of them.
  if (slice.locked === 0 && slice.behind > 0) return 'late';
  const more = met[0]?.met === CONVERSATIONS || slice.behind === CONVERSATIONS || slice.done < slice.behind;
  return more ? 'more' : 'done';
}

async function takeSlice(
  client: pg.PoolClient,
  { alias, open, wait }: Indexing,
  { messages, bytes }: Size,
): Promise<Slice> {
  const behind = await idsOf(client, BEHIND(open), [alias, CONVERSATIONS]);
  const locked = behind.length === 0 ? [] : await idsOf(client, LOCK(wait), [behind]);
  if (locked.length === 0) return { behind: behind.length, locked: 0, done: 0 };
  const { rows } = await client.query<{ done: number }>(TAKE, [locked, messages, [...UNNAMED], bytes]);
  return { behind: behind.length, locked: locked.length, done: rows[0]?.done ?? 0 };
}

async function idsOf(client: pg.PoolClient, query: string, values: unknown[]): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(query, values);
  return rows.map(({ id }) => id);
}

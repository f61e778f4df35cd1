import { UNNAMED } from '@settee/protocol/visitor';
import type { Database } from './database.ts';

/** Messages that one statement takes in: some tenths of a second of PostgreSQL's time, between others' work. */
const SLICE = 2_000;
/** Conversations that one statement looks into. */
const CONVERSATIONS = 500;

/** Whose conversations are brought up to date; null for every desk. */
export type Indexing = {
  alias: string | null;
  /** Only open ones: all that change while nobody searches. */
  open: boolean;
  /** Wait for another gateway that is at the same, or leave it to that one. */
  wait: boolean;
};

const WANTED = (open: boolean) =>
  `($1::text is null or c.handler_alias = $1)${open ? " and c.status = 'open'" : ''}`;

/** A conversation that the index does not know needs a row to lock before anything is done for it. */
const MEET = (open: boolean) => `
  insert into search_heads (conversation_id)
  select met.id from (
    select c.id from conversations c
    where ${WANTED(open)} and not exists (select from search_heads h where h.conversation_id = c.id)
    order by c.last_message_at desc limit $2
  ) met order by met.id
  on conflict do nothing`;

/**
 * Takes the next messages in, of the conversations that spoke last. One desk's words carry that desk's key, so a
 * conversation that changed desks starts again from its first message. Entries are written over, not added: what another
 * gateway did meanwhile does no harm.
 */
const TAKE = ({ open, wait }: Indexing) => `
  with behind as materialized (
    select c.id, c.last_seq, c.handler_alias, c.visitor_id, c.visitor_name, c.invite_id, c.created_at, c.last_message_at
    from conversations c join search_heads h on h.conversation_id = c.id
    where ${WANTED(open)}
      and (h.seq < c.last_seq or h.alias is distinct from c.handler_alias
        or h.visitor_name is distinct from c.visitor_name)
    order by c.last_message_at desc limit $3
  ),
  locked as materialized (
    select h.conversation_id as id, h.seq, h.alias, h.visitor_name from search_heads h
    where h.conversation_id in (select b.id from behind b)
    order by h.conversation_id for update${wait ? '' : ' skip locked'}
  ),
  due as (
    select b.*, case when l.alias is distinct from b.handler_alias then 0 else l.seq end as seq,
      l.alias is distinct from b.handler_alias or l.visitor_name is distinct from b.visitor_name as renamed
    from behind b join locked l on l.id = b.id
  ),
  counted as (
    select d.*, $2 - sum(greatest(d.last_seq - d.seq, 0)) over (order by d.last_message_at desc, d.id)
      + greatest(d.last_seq - d.seq, 0) as room
    from due d
  ),
  taken as materialized (
    select t.*, greatest(t.seq, least(t.last_seq, t.seq + t.room))::integer as until from counted t where t.room > 0
  ),
  entries as (
    insert into search_entries (conversation_id, seq, created_at, words)
    select t.id, m.seq, m.created_at, search_vector(search_key(t.handler_alias, 'message'), m.text)
    from taken t
    join lateral (
      select m.seq, m.created_at, m.text from messages m
      where m.conversation_id = t.id and m.seq > t.seq and m.seq <= t.until
    ) m on true
    union all
    select t.id, 0, t.created_at, search_vector(search_key(t.handler_alias, 'name'), i.label || ' ' ||
      case when btrim(t.visitor_name) = any ($4) then 'V-' || t.visitor_id else t.visitor_name end)
    from taken t join invites i on i.id = t.invite_id
    where t.renamed
    on conflict (conversation_id, seq) do update set words = excluded.words
  ),
  moved as (
    update search_heads h set seq = t.until, alias = t.handler_alias, visitor_name = t.visitor_name
    from taken t where h.conversation_id = t.id
  )
  select (select count(*) from behind)::integer as behind,
    (select count(*) from taken t where t.until >= t.last_seq)::integer as done`;

/** Brings one slice into the index. True when more is waiting. */
export async function indexSlice(db: Database, indexing: Indexing): Promise<boolean> {
  const { alias, open } = indexing;
  const met = await db.pool.query(MEET(open), [alias, CONVERSATIONS]);
  const { rows } = await db.pool.query<{ behind: number; done: number }>(TAKE(indexing), [
    alias,
    SLICE,
    CONVERSATIONS,
    [...UNNAMED],
  ]);
  const { behind, done } = rows[0] ?? { behind: 0, done: 0 };
  return met.rowCount === CONVERSATIONS || behind === CONVERSATIONS || done < behind;
}

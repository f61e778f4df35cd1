import { readFileSync } from 'node:fs';

const [signature = ''] = readFileSync(
  new URL('../../../server/sql/append_messages.sql', import.meta.url),
  'utf8',
).split('#variable_conflict');

/**
 * The append as one statement, as in the first version. The lookup reads the snapshot from the start of the statement,
 * but the lock returns what another gateway commits meanwhile. So a message that arrives at two gateways at once is not
 * found, uses a second number and is acknowledged with it. The pause between snapshot and lock widens the race.
 */
export const lookUpBeforeLock = `${signature}#variable_conflict use_column
declare
  v_now timestamptz := date_trunc('milliseconds', clock_timestamp());
begin
  return query
  with paused as materialized (select pg_sleep(0.15)),
  locked as materialized (
    select c.* from paused, conversations c where c.id = any (p_conversations) order by c.id for update of c
  ),
  judged as (
    select i.*, c.last_seq, c.unread, c.handler_alias, c.rev, greatest(v_now, c.last_message_at) as at,
      m.seq as known_seq, m.created_at as known_at, case when m.seq is null then 0 else 1 end as outcome
    from unnest(p_conversations, p_ids, p_from_owner, p_authors, p_texts) with ordinality
      as i (conversation_id, id, from_owner, author_id, text, item)
    join locked c on c.id = i.conversation_id
    left join lateral (
      select m.seq, m.created_at from messages m
      where m.conversation_id = i.conversation_id and m.id = i.id
    ) m on true
  ),
  numbered as materialized (
    select j.item, j.outcome, j.conversation_id, j.id, j.from_owner, j.author_id, j.text, j.handler_alias,
      j.last_seq + count(*) filter (where j.outcome = 0) over so_far as seq,
      j.unread + count(*) filter (where j.outcome = 0 and not j.from_owner) over so_far as unread,
      j.rev, lead(j.item) over so_far is null as last, j.at, j.known_seq, j.known_at
    from judged j
    window so_far as (partition by j.conversation_id, j.outcome = 0 order by j.item)
  ),
  inserted as (
    insert into messages (conversation_id, seq, id, from_owner, author_id, created_at, text)
    select n.conversation_id, n.seq, n.id, n.from_owner, n.author_id, n.at, n.text
    from numbered n where n.outcome = 0
    on conflict do nothing
  ),
  moved as (
    update conversations c
    set last_seq = n.seq, last_message_at = n.at, preview = left(n.text, 140),
      preview_from_owner = n.from_owner, unread = n.unread
    from numbered n
    where n.outcome = 0 and n.last and c.id = n.conversation_id
  )
  select n.item::integer, n.outcome::smallint,
    (case when n.outcome = 0 then n.seq else n.known_seq end)::integer,
    extract(epoch from case when n.outcome = 0 then n.at else n.known_at end)::double precision * 1000,
    n.unread::integer, n.handler_alias, n.rev, null::json
  from numbered n;
end $$`;

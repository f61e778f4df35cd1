-- Up Migration

-- Stores a batch of messages. Item i is (p_conversations[i], p_ids[i], …). Answers one row per item:
--   outcome 0 stored · 1 stored before, same content · 2 id used for other content
--           3 conversation is closed to this sender · 4 no such conversation for this sender
--
-- Three statements: lock, then look up, then number and insert, each reading what the one before it
-- waited for. One statement would read a snapshot taken before the lock: it burns numbers, and
-- answers "repeat" for a message whose commit it cannot see. Locks are taken in id order, so two
-- gateways cannot deadlock. The lock itself writes to the log, so even a batch of nothing but
-- repeats waits for the standby like the first time.
--
-- Almost every batch holds no repeat, and a look-up through all partitions costs more than the insert.
-- So the first call goes without one (p_look_up false) and leans on the unique key: a repeat among
-- its items fails the whole call with unique_violation, nothing is stored, no number is used, and the
-- caller calls again with p_look_up true. No id may stand twice in one batch.
--
-- The planner's settings for this function are the caller's (APPEND_SESSION in src/db/appender.ts):
-- as settings of the function they would cost a quarter of a small call.
create function append_messages(
  p_conversations uuid[],
  p_ids uuid[],
  p_from_owner boolean[],
  p_authors uuid[],
  -- The desk a member of staff answers for; null for visitors, and for an admin, who may answer at any.
  p_aliases text[],
  p_texts text[],
  p_look_up boolean
)
returns table (
  item integer,
  outcome smallint,
  seq integer,
  created_ms double precision,
  unread integer,
  handler_alias text,
  rev integer
)
language plpgsql
as $$
#variable_conflict use_column
declare
  v_now timestamptz;
  v_known_seq integer[];
  v_known_at timestamptz[];
  v_known_same boolean[];
begin
  perform 1 from conversations c where c.id = any (p_conversations) order by c.id for update;

  if p_look_up then
    select array_agg(m.seq order by i.item), array_agg(m.created_at order by i.item),
      array_agg(m.text = i.text and m.from_owner = i.from_owner order by i.item)
    into v_known_seq, v_known_at, v_known_same
    from unnest(p_conversations, p_ids, p_from_owner, p_texts)
      with ordinality as i (conversation_id, id, from_owner, text, item)
    left join lateral (
      select m.seq, m.created_at, m.text, m.from_owner from messages m
      where m.conversation_id = i.conversation_id and m.id = i.id
    ) m on true;
  end if;

  -- To the millisecond, so that what the ack says equals what is read back.
  v_now := date_trunc('milliseconds', clock_timestamp());

  return query
  with judged as (
    select i.*, c.last_seq, c.unread, c.handler_alias, c.rev, c.status, greatest(v_now, c.last_message_at) as at,
      case
        when c.id is null or not case
          when i.from_owner then i.alias is null or i.alias = c.handler_alias
          else coalesce(d.attached, false)
        end then 4
        when i.known_seq is not null then case when i.known_same then 1 else 2 end
        when c.status = 'open' then 0
        when c.status = 'closed' and not i.from_owner
          and c.closed_at + make_interval(days => (select b.reopen_days from brand b)) > v_now then 0
        else 3
      end as outcome
    from unnest(
      p_conversations, p_ids, p_from_owner, p_authors, p_aliases, p_texts, v_known_seq, v_known_at, v_known_same
    ) with ordinality
      as i (conversation_id, id, from_owner, author_id, alias, text, known_seq, known_at, known_same, item)
    left join conversations c on c.id = i.conversation_id
    left join lateral (
      select true as attached from devices d
      where d.conversation_id = i.conversation_id and d.visitor_id = i.author_id and d.revoked_at is null
      limit 1
    ) d on true
  ),
  numbered as materialized (
    select j.item, j.outcome, j.conversation_id, j.id, j.from_owner, j.author_id, j.text, j.handler_alias,
      j.last_seq + count(*) filter (where j.outcome = 0) over so_far as seq,
      j.unread + count(*) filter (where j.outcome = 0 and not j.from_owner) over so_far as unread,
      j.rev + (j.status <> 'open')::integer as rev,
      lead(j.item) over so_far is null as last,
      j.at, j.known_seq, j.known_at
    from judged j
    window so_far as (partition by j.conversation_id, j.outcome = 0 order by j.item)
  ),
  inserted as (
    insert into messages (conversation_id, seq, id, from_owner, author_id, created_at, text)
    select n.conversation_id, n.seq, n.id, n.from_owner, n.author_id, n.at, n.text
    from numbered n where n.outcome = 0
  ),
  moved as (
    update conversations c
    set last_seq = n.seq,
      last_message_at = n.at,
      preview = left(n.text, 140),
      preview_from_owner = n.from_owner,
      unread = n.unread,
      status = 'open',
      closed_at = null,
      rev = n.rev
    from numbered n
    where n.outcome = 0 and n.last and c.id = n.conversation_id
  )
  select n.item::integer, n.outcome::smallint,
    (case when n.outcome = 0 then n.seq else n.known_seq end)::integer,
    extract(epoch from case when n.outcome = 0 then n.at else n.known_at end)::double precision * 1000,
    n.unread::integer, n.handler_alias, n.rev
  from numbered n;
end $$;

-- Up Migration

-- append_messages once more, now with the number that a member of staff had seen when writing (p_after), and with
-- since when the visitor waits. What is said in 20261115000002_append.sql still holds. New:
--   outcome 5 outdated: somebody else of the staff answered after that number
--
-- Null in p_after means unguarded, as every visitor's message is. The order of judgement: a repeat is answered as a
-- repeat however old its number is, so a guarded message is always looked up. That is one more statement for a batch
-- that holds one, and none for all others. The whole batch is judged by what was stored before it: behind another
-- message of the staff, a guarded one of the same conversation must wait for the next call.
create function append_messages(
  p_conversations uuid[],
  p_ids uuid[],
  p_from_owner boolean[],
  p_authors uuid[],
  p_aliases text[],
  p_texts text[],
  p_after integer[],
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
  v_outdated boolean[];
begin
  perform 1 from conversations c where c.id = any (p_conversations) order by c.id for update;

  if p_look_up or cardinality(array_remove(p_after, null)) > 0 then
    select array_agg(m.seq order by i.item), array_agg(m.created_at order by i.item),
      array_agg(m.text = i.text and m.from_owner = i.from_owner order by i.item),
      array_agg(a.answered order by i.item)
    into v_known_seq, v_known_at, v_known_same, v_outdated
    from unnest(p_conversations, p_ids, p_from_owner, p_texts, p_after)
      with ordinality as i (conversation_id, id, from_owner, text, after, item)
    left join lateral (
      select m.seq, m.created_at, m.text, m.from_owner from messages m
      where m.conversation_id = i.conversation_id and m.id = i.id and (p_look_up or i.after is not null)
    ) m on true
    left join lateral (
      select true as answered from messages m
      where m.conversation_id = i.conversation_id and m.seq > i.after and m.from_owner and m.id <> i.id
      limit 1
    ) a on i.from_owner;
  end if;

  -- To the millisecond, so that what the ack says equals what is read back.
  v_now := date_trunc('milliseconds', clock_timestamp());

  return query
  with judged as (
    select i.*, c.last_seq, c.unread, c.handler_alias, c.rev, c.status, greatest(v_now, c.last_message_at) as at,
      case when c.status = 'open' then c.waiting_since end as waiting_since,
      case
        when c.id is null or not case
          when i.from_owner then i.alias is null or i.alias = c.handler_alias
          else coalesce(d.attached, false)
        end then 4
        when i.known_seq is not null then case when i.known_same then 1 else 2 end
        when c.status = 'open' then case when i.outdated then 5 else 0 end
        when c.status = 'closed' and not i.from_owner
          and c.closed_at + make_interval(days => (select b.reopen_days from brand b)) > v_now then 0
        else 3
      end as outcome
    from unnest(
      p_conversations, p_ids, p_from_owner, p_authors, p_aliases, p_texts, v_known_seq, v_known_at, v_known_same,
      v_outdated
    ) with ordinality
      as i (conversation_id, id, from_owner, author_id, alias, text, known_seq, known_at, known_same, outdated, item)
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
      bool_or(j.from_owner) over so_far as answered,
      lead(j.item) over so_far is null as last,
      j.at, j.waiting_since, j.known_seq, j.known_at
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
      -- An answer ends the wait. Who writes behind it begins a new one, and all of a batch have one time.
      waiting_since = case when n.from_owner then null when n.answered then n.at else coalesce(n.waiting_since, n.at) end,
      marked_unread = c.marked_unread and not n.answered,
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

-- For gateways of the release before, while they are being replaced.
create or replace function append_messages(
  p_conversations uuid[],
  p_ids uuid[],
  p_from_owner boolean[],
  p_authors uuid[],
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
language sql
as $$
  select * from append_messages(
    p_conversations, p_ids, p_from_owner, p_authors, p_aliases, p_texts, null::integer[], p_look_up
  )
$$;

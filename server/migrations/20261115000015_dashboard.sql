-- Up Migration

-- What is counted of conversations. The only table that is locked here is the one that sends need, so none waits for
-- longer than this: the others have a migration before.
set local lock_timeout = '3s';

alter table conversations
  -- When the visitor first wrote, and when that was first answered: what was said to them before is no answer.
  add column first_asked_at timestamptz,
  add column first_replied_at timestamptz,
  -- The conversation and its messages up to this number are not counted: they were there before this migration. Null
  -- stands for all messages, until there is a new one. 20261115000016_count_history.ts counts them, and makes it -1.
  add column uncounted integer;
alter table conversations alter column uncounted set default -1;

-- Eight bytes: milliseconds, and in the last three the number of the desk that answered.
create function wait_entry(p_waited interval, p_desk integer) returns bytea language sql immutable return
  int8send((extract(epoch from p_waited) * 1000)::bigint * 16777216 + p_desk);

-- Once in a conversation's life: how long the visitor waited, and that their invite has come so far. Not in
-- append_messages itself, where every send would pay for it.
create function count_first_reply() returns trigger language plpgsql as $$
begin
  insert into figures_fresh (quarter, answered, waits)
  select date_bin('15 minutes', new.first_replied_at, 'epoch'), null,
    wait_entry(new.first_replied_at - new.first_asked_at, h.number)
  from handlers h where h.alias = coalesce(
    -- What is counted long after it happened: the desk that answered may have handed the conversation over since.
    (
      select n.from_alias from notes n
      where n.conversation_id = new.id and n.from_alias is not null and n.created_at > new.first_replied_at
      order by n.created_at limit 1
    ),
    new.handler_alias
  )
  union all
  select date_bin('15 minutes', i.created_at, 'epoch'), 1, null from invites i where i.id = new.invite_id;
  return null;
end $$;
create trigger count_first_reply after update of first_replied_at on conversations for each row
  when (old.first_replied_at is null and new.first_replied_at is not null) execute function count_first_reply();

create function count_conversations() returns trigger language plpgsql as $$
begin
  insert into figures_fresh (quarter, conversations)
  select date_bin('15 minutes', created_at, 'epoch'), count(*) from added group by 1;
  return null;
end $$;
create trigger count_conversations after insert on conversations
  referencing new table as added for each statement execute function count_conversations();

-- append_messages once more, now with what is counted of it, and with blocks that end: one whose time has come is over
-- for whoever writes, under this very lock, whether or not a job has ended it. What is said in 20261115000002_append.sql,
-- 20261115000005_turn.sql and 20261115000008_media_and_push.sql still holds.
create or replace function append_messages(
  p_conversations uuid[],
  p_ids uuid[],
  p_from_owner boolean[],
  p_authors uuid[],
  p_aliases text[],
  p_texts text[],
  p_after integer[],
  p_media uuid[],
  p_look_up boolean
)
returns table (
  item integer,
  outcome smallint,
  seq integer,
  created_ms double precision,
  unread integer,
  handler_alias text,
  rev integer,
  picture json
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
  v_picture json[];
begin
  perform 1 from conversations c where c.id = any (p_conversations) order by c.id for update;

  if cardinality(array_remove(p_media, null)) > 0 then
    perform 1 from media m where m.id = any (p_media) order by m.id for update;
    -- What is missing here may not be sent.
    select array_agg(
      case when m.id is not null then
        json_build_array(m.id, m.media_type, m.file_name, m.bytes, m.width, m.height, m.thumbhash)
      end
      order by i.item
    ) into v_picture
    from unnest(p_conversations, p_ids, p_from_owner, p_authors, p_media)
      with ordinality as i (conversation_id, id, from_owner, author_id, media_id, item)
    left join media m on m.id = i.media_id and m.conversation_id = i.conversation_id
      and m.from_owner = i.from_owner and m.author_id = i.author_id and m.state = 'ready'
      and (m.message_id is null or m.message_id = i.id);
  end if;

  if p_look_up or cardinality(array_remove(p_after, null)) > 0 then
    select array_agg(m.seq order by i.item), array_agg(m.created_at order by i.item),
      array_agg(
        m.text = i.text and m.from_owner = i.from_owner and m.media_id is not distinct from i.media_id
        order by i.item
      ),
      array_agg(a.answered order by i.item)
    into v_known_seq, v_known_at, v_known_same, v_outdated
    from unnest(p_conversations, p_ids, p_from_owner, p_texts, p_after, p_media)
      with ordinality as i (conversation_id, id, from_owner, text, after, media_id, item)
    left join lateral (
      select m.seq, m.created_at, m.text, m.from_owner, m.media_id from messages m
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
      case when c.status <> 'closed' then c.waiting_since end as waiting_since,
      case
        when c.id is null or not case
          when i.from_owner then i.alias is null or i.alias = c.handler_alias
          else coalesce(d.attached, false)
        end then 4
        when i.known_seq is not null then case when i.known_same then 1 else 2 end
        when i.media_id is not null and i.picture is null then 6
        when case c.status
          when 'open' then true
          -- Not a join: only a blocked one pays for the look.
          when 'blocked' then (select b.until from blocks b where b.conversation_id = c.id) <= v_now
        end then case when i.outdated then 5 else 0 end
        when c.status = 'closed' and not i.from_owner
          and c.closed_at + make_interval(days => (select b.reopen_days from brand b)) > v_now then 0
        else 3
      end as outcome
    from unnest(
      p_conversations, p_ids, p_from_owner, p_authors, p_aliases, p_texts, p_media, v_known_seq, v_known_at,
      v_known_same, v_outdated, v_picture
    ) with ordinality
      as i (conversation_id, id, from_owner, author_id, alias, text, media_id, known_seq, known_at, known_same, outdated,
        picture, item)
    left join conversations c on c.id = i.conversation_id
    left join lateral (
      select true as attached from devices d
      where d.conversation_id = i.conversation_id and d.visitor_id = i.author_id and d.revoked_at is null
      limit 1
    ) d on true
  ),
  numbered as materialized (
    select j.item, j.outcome, j.conversation_id, j.id, j.from_owner, j.author_id, j.text, j.media_id, j.handler_alias,
      j.last_seq + count(*) filter (where j.outcome = 0) over so_far as seq,
      j.unread + count(*) filter (where j.outcome = 0 and not j.from_owner) over so_far as unread,
      j.rev + (j.status <> 'open')::integer as rev,
      min(j.item) filter (where not j.from_owner) over so_far as asked,
      max(j.item) filter (where j.from_owner) over so_far as answered,
      lead(j.item) over so_far is null as last,
      j.at, j.waiting_since, j.known_seq, j.known_at, j.picture
    from judged j
    window so_far as (partition by j.conversation_id, j.outcome = 0 order by j.item)
  ),
  inserted as (
    insert into messages (conversation_id, seq, id, from_owner, author_id, created_at, text, media_id)
    select n.conversation_id, n.seq, n.id, n.from_owner, n.author_id, n.at, n.text, n.media_id
    from numbered n where n.outcome = 0
  ),
  counted as (
    insert into figures_fresh (quarter, visitors, replies)
    select date_bin('15 minutes', n.at, 'epoch'), count(*) filter (where not n.from_owner),
      count(*) filter (where n.from_owner)
    from numbered n where n.outcome = 0
    group by 1
  ),
  carried as (
    update media m set message_id = n.id from numbered n
    where n.outcome = 0 and n.media_id is not null and m.id = n.media_id
  ),
  told as (
    insert into push_due as p (conversation_id, to_owner, seq, due_at)
    select n.conversation_id, not n.from_owner, max(n.seq), v_now + interval '10 seconds'
    from numbered n
    -- With a limit each is a look into an index. `exists` was planned as a scan of all subscriptions.
    left join lateral (
      select true as listens from devices d join push_subscriptions s on s.visitor_id = d.visitor_id
      where n.from_owner and d.conversation_id = n.conversation_id and d.revoked_at is null
      limit 1
    ) visitor on true
    left join lateral (
      select true as listens from push_subscriptions s where not n.from_owner and s.alias = n.handler_alias
      limit 1
    ) desk on true
    where n.outcome = 0 and (visitor.listens or desk.listens)
    group by n.conversation_id, n.from_owner
    on conflict (conversation_id, to_owner) do update
    set seq = excluded.seq,
      due_at = case
        -- One that waits to be told tells of this message too. Not if its own was seen meanwhile: whoever reads has
        -- ten seconds for this one. Nor if it is a minute late: then nobody tells at present.
        when p.due_at > v_now - interval '1 minute' and p.seq > (
          select case when p.to_owner then c.owner_seen else c.visitor_seen end
          from conversations c where c.id = p.conversation_id
        ) then p.due_at
        -- After one was sent, the next waits half a minute.
        else greatest(excluded.due_at, p.pushed_at + interval '30 seconds')
      end
  ),
  moved as (
    update conversations c
    set last_seq = n.seq,
      last_message_at = n.at,
      preview = case when n.media_id is null then left(n.text, 140) else '[Media]' end,
      preview_from_owner = n.from_owner,
      unread = n.unread,
      -- An answer ends the wait. Who writes behind it begins a new one, and all of a batch have one time.
      waiting_since = case when n.from_owner then null when n.answered is not null then n.at else coalesce(n.waiting_since, n.at) end,
      marked_unread = c.marked_unread and n.answered is null,
      first_asked_at = case when n.asked is null then c.first_asked_at else coalesce(c.first_asked_at, n.at) end,
      first_replied_at = case
        when c.first_replied_at is null and c.uncounted = -1 and n.answered is not null
          and (c.first_asked_at is not null or n.asked < n.answered) then n.at
        else c.first_replied_at
      end,
      uncounted = coalesce(c.uncounted, c.last_seq),
      status = 'open',
      closed_at = null,
      rev = n.rev
    from numbered n
    where n.outcome = 0 and n.last and c.id = n.conversation_id
  )
  select n.item::integer, n.outcome::smallint,
    (case when n.outcome = 0 then n.seq else n.known_seq end)::integer,
    extract(epoch from case when n.outcome = 0 then n.at else n.known_at end)::double precision * 1000,
    n.unread::integer, n.handler_alias, n.rev, n.picture
  from numbered n;
end $$;

-- Up Migration

set local lock_timeout = '3s';

-- Images, from the first request to send one. Nothing was ever written to the table of the first release.
drop table media;
create table media (
  -- Minted by the sender's browser, which makes every repeat of a request the same image.
  id uuid primary key,
  conversation_id uuid not null references conversations (id),
  from_owner boolean not null,
  -- The visitor or the member of staff. Never leaves the server towards a visitor.
  author_id uuid not null,
  -- uploading: an address was given. working: the bytes are there, to be looked at. ready: what a message may carry.
  state text not null default 'uploading' check (state in ('uploading', 'working', 'ready', 'refused')),
  -- Where the browser puts what it sends. No address for reading is ever made for it.
  staged_path text not null unique,
  staged_type text not null,
  staged_bytes integer not null,
  -- Where the picture that we made of it lies.
  path text not null unique,
  file_name text not null,
  media_type text,
  bytes integer,
  width integer,
  height integer,
  thumbhash text,
  -- The message that carries it.
  message_id uuid,
  -- How often making a picture of it went wrong in a way that need not be the file's fault.
  mishaps smallint not null default 0,
  created_at timestamptz not null default now(),
  check (state <> 'ready' or (media_type is not null and bytes is not null and width is not null and height is not null and thumbhash is not null))
);
create index media_conversation on media (conversation_id, created_at);
-- What the sweep for orphans looks through: images that no message carries (yet).
create index media_unsent on media (created_at) where message_id is null;

-- A member of staff is told on the devices where they are signed in, for as long as they are.
alter table push_subscriptions
  add column staff_id uuid references staff (id),
  add column session_id uuid references staff_sessions (id) on delete cascade,
  -- Since when its push service has refused what we send; null once it takes something.
  add column refused_at timestamptz,
  add check ((alias is null) = (staff_id is null)),
  add check ((staff_id is null) = (session_id is null));
create index push_subscriptions_session on push_subscriptions (session_id) where session_id is not null;

-- Whom to tell of unseen messages, and when. Written in the message's own transaction, so that it can be neither
-- lost nor made for a message that was not stored; one row per conversation and side, so that many messages are one
-- notification. Not a job of graphile-worker yet: adding one notifies, which makes commits wait for each other.
create table push_due (
  conversation_id uuid not null references conversations (id),
  to_owner boolean not null,
  -- The newest message of which to tell.
  seq integer not null,
  -- Null when there is nothing to tell.
  due_at timestamptz,
  -- When a push service last took one.
  pushed_at timestamptz,
  primary key (conversation_id, to_owner)
);
create index push_due_when on push_due (due_at) where due_at is not null;

-- append_messages once more, now with the image that a message carries (p_media, null for words) and with whom to
-- tell of it. What is said in 20261115000002_append.sql and 20261115000005_turn.sql still holds. New:
--   outcome 6 media: the image is not this sender's, not ready, or another message's
--   picture: what the message says of its image, as a list; null for words
--
-- An image's row is locked after the conversations and before it is judged, so that neither a second message nor the
-- sweep for orphans can take it meanwhile. A batch of words alone pays nothing for any of this.
create function append_messages(
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
      case when c.status = 'open' then c.waiting_since end as waiting_since,
      case
        when c.id is null or not case
          when i.from_owner then i.alias is null or i.alias = c.handler_alias
          else coalesce(d.attached, false)
        end then 4
        when i.known_seq is not null then case when i.known_same then 1 else 2 end
        when i.media_id is not null and i.picture is null then 6
        when c.status = 'open' then case when i.outdated then 5 else 0 end
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
      bool_or(j.from_owner) over so_far as answered,
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
    n.unread::integer, n.handler_alias, n.rev, n.picture
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
language sql
as $$
  select item, outcome, seq, created_ms, unread, handler_alias, rev from append_messages(
    p_conversations, p_ids, p_from_owner, p_authors, p_aliases, p_texts, p_after, null::uuid[], p_look_up
  )
$$;

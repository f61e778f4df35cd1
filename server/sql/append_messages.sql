-- Stores a batch of messages. Item i is (p_conversations[i], p_ids[i], …). Returns one row per item:
--   outcome 0 stored
--           1 stored before, with the same content
--           2 the id was used for other content
--           3 the conversation is closed to this sender: also a reply whose visitor's link was revoked
--           4 no such conversation for this sender
--           5 outdated: another staff member answered after p_after[i]
--           6 the image is not this sender's, not ready, or belongs to another message
--   picture: the fields of the message's image, as a list; null for text
--
-- Separate statements lock, look up, then number and insert, so that each sees what the one before it waited for. A
-- single statement would read a snapshot taken before the lock: it would waste numbers, and would answer "stored before"
-- for a message whose commit it cannot see. Locks are taken in id order, so two gateways cannot deadlock. Images are
-- locked after conversations, so that neither a second message nor the sweep of orphans can take one meanwhile. The lock
-- itself writes to the WAL, so even a batch of nothing but repeats waits for the standby like the first time.
--
-- Almost no batch contains a repeat, and a lookup through all partitions costs more than the insert. So the first call
-- skips it (p_look_up false) and relies on the unique key: a repeat fails the whole call with unique_violation, nothing
-- is stored, no number is used, and the caller calls again with p_look_up true. An id may occur once in a batch.
--
-- p_after is the number of the last message that a staff member had seen when writing; null is unguarded, as every
-- visitor's message is. A guarded message is always looked up, because a repeat is answered as a repeat however old its
-- number is. The whole batch is compared with what was stored before it: a guarded message that follows another message of
-- the staff in the same conversation must wait for the next call.
--
-- A block whose time is over ends here, under the lock, whether or not a job has ended it yet.
--
-- A few texts in different, open conversations take a short path: one update and one insert each. Setting up the large plan costs
-- more than four of these. The update locks the row and reads its latest version, so the number is right. The insert is a
-- statement of its own, so that it sees a device or link that was revoked while the update waited. The caller sorts by
-- conversation, so locks are still taken in id order. Two updates of one row in one transaction would check its foreign
-- keys, and so lock the invite after the conversation, which an erasure does in the opposite order. If the first message is unusual, it matches no row in the update,
-- changes nothing, and continues below. If a later one is, or a visitor has no access, the call fails like a
-- repeat, which gateways of every release understand: they call again with p_look_up true.
--
-- Webhooks: a message writes one row per event and endpoint (webhook_deliveries). Without endpoints, the short path only
-- looks into an empty table, inside the update.
--
-- The caller sets the planner's settings (APPEND_SESSION in src/messages/appendCall.store.ts): as settings of the function they
-- would cost a quarter of a small call.
--
-- `settee migrate` runs this file whenever it has changed. Gateways of the previous release call the function while they
-- are being replaced: keep the signature, or add a second function beside this one.
create or replace function append_messages(
  p_conversations uuid[],
  p_ids uuid[],
  p_from_owner boolean[],
  p_authors uuid[],
  -- The desks that a staff member answers for, with spaces between; null for visitors, and for administrators, who can
  -- answer at any.
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
  v_at timestamptz;
  v_listens boolean;
  v_invite uuid;
  v_hooked boolean;
  v_several boolean;
  v_short boolean;
  v_known_seq integer[];
  v_known_at timestamptz[];
  v_known_same boolean[];
  v_outdated boolean[];
  v_picture json[];
begin
  v_short := not p_look_up and cardinality(p_conversations) <= 4;
  for i in 1..cardinality(p_conversations) loop
    exit when not v_short;
    v_short := p_media[i] is null and (i = 1 or p_conversations[i] > p_conversations[i - 1]);
  end loop;
  if v_short then
    v_now := date_trunc('milliseconds', clock_timestamp());
    for i in 1..cardinality(p_conversations) loop
      -- Who listens: `limit` and not `exists`, which was planned as a scan of all subscriptions.
      if p_from_owner[i] then
        update conversations c
        set last_seq = c.last_seq + 1,
          last_message_at = greatest(v_now, c.last_message_at),
          preview = left(p_texts[i], 140),
          preview_from_owner = true,
          waiting_since = null,
          marked_unread = false,
          first_replied_at = case
            when c.first_replied_at is null and c.first_asked_at is not null then greatest(v_now, c.last_message_at)
            else c.first_replied_at
          end
        where c.id = p_conversations[i] and c.status = 'open'
          and (
            -- One desk, as almost always, costs no list.
            p_aliases[i] is null or c.handler_alias = p_aliases[i]
            or c.handler_alias = any (string_to_array(p_aliases[i], ' '))
          )
          -- Nothing was stored after what this staff member saw.
          and (p_after[i] is null or c.last_seq = p_after[i])
        returning c.last_seq, c.last_message_at, c.unread, c.handler_alias, c.rev, coalesce(
          (
            select true from devices d join push_subscriptions s on s.visitor_id = d.visitor_id
            where d.conversation_id = c.id and d.revoked_at is null
            limit 1
          ),
          (select true from visitor_mails m where m.conversation_id = c.id)
        ), c.invite_id, (select true from webhook_endpoints w where w.state <> 'disabled' limit 1)
        into seq, v_at, unread, handler_alias, rev, v_listens, v_invite, v_hooked;
      else
        update conversations c
        set last_seq = c.last_seq + 1,
          last_message_at = greatest(v_now, c.last_message_at),
          preview = left(p_texts[i], 140),
          preview_from_owner = false,
          unread = c.unread + 1,
          waiting_since = coalesce(c.waiting_since, greatest(v_now, c.last_message_at)),
          first_asked_at = coalesce(c.first_asked_at, greatest(v_now, c.last_message_at))
        where c.id = p_conversations[i] and c.status = 'open'
        returning c.last_seq, c.last_message_at, c.unread, c.handler_alias, c.rev, (
          select true from desk_staff d join push_subscriptions s on s.staff_id = d.staff_id
          where d.alias = c.handler_alias
          limit 1
        ), c.invite_id, (select true from webhook_endpoints w where w.state <> 'disabled' limit 1)
        into seq, v_at, unread, handler_alias, rev, v_listens, v_invite, v_hooked;
      end if;
      if found then
        insert into messages (conversation_id, seq, id, from_owner, author_id, created_at, text)
        select p_conversations[i], seq, p_ids[i], p_from_owner[i], p_authors[i], v_at, p_texts[i]
        where case
          when p_from_owner[i] then not exists (select from invites n where n.id = v_invite and n.state = 'REVOKED')
          else exists (
            select from devices d
            where d.conversation_id = p_conversations[i] and d.visitor_id = p_authors[i] and d.revoked_at is null
          )
        end;
      elsif i = 1 then
        -- Nothing has changed yet.
        v_short := false;
        exit;
      end if;
      if not found then raise exception 'not for the short path' using errcode = 'unique_violation'; end if;
      insert into figures_fresh (quarter, visitors, replies, alias)
      values (date_bin('15 minutes', v_at, 'epoch'), (not p_from_owner[i])::integer, p_from_owner[i]::integer, handler_alias);
      if v_listens then
        insert into push_due as p (conversation_id, to_owner, seq, due_at)
        values (p_conversations[i], not p_from_owner[i], seq, v_now + interval '10 seconds')
        on conflict (conversation_id, to_owner) do update set seq = excluded.seq, due_at = next_push_at(p, v_now);
      end if;
      if v_hooked then
        insert into webhook_deliveries (
          endpoint_id, type, at, invite_id, conversation_id, seq, message_id, from_owner, image
        )
        select w.id, e.type, v_at, v_invite, p_conversations[i], seq, p_ids[i], p_from_owner[i], false
        from (
          -- The row is locked, so this is the message before. The conversation was open, so the wait did not end otherwise.
          select coalesce((
            select m.from_owner from messages m where m.conversation_id = p_conversations[i] and m.seq = append_messages.seq - 1
          ), true) as answered
        ) before
        cross join lateral (values
          (1, 'message.stored', true),
          (2, 'conversation.waiting', before.answered and not p_from_owner[i]),
          (2, 'conversation.answered', p_from_owner[i] and not before.answered)
        ) as e (place, type, happens)
        join webhook_endpoints w on e.type = any (w.events) and w.state <> 'disabled'
        where e.happens
        order by e.place;
      end if;
      item := i;
      outcome := 0;
      created_ms := extract(epoch from v_at) * 1000;
      return next;
    end loop;
    if v_short then return; end if;
  end if;

  perform 1 from conversations c where c.id = any (p_conversations) order by c.id for update;

  if cardinality(array_remove(p_media, null)) > 0 then
    perform 1 from media m where m.id = any (p_media) order by m.id for update;
    -- An image without a row here cannot be sent.
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

  v_hooked := exists (select from webhook_endpoints w where w.state <> 'disabled');
  v_several := exists (select from profiles where slug <> 'main');

  -- Truncated to milliseconds, so that the ack equals what is read back.
  v_now := date_trunc('milliseconds', clock_timestamp());

  return query
  with judged as (
    select i.*, c.invite_id, c.last_seq, c.unread, c.handler_alias, c.rev, c.status, greatest(v_now, c.last_message_at) as at,
      case when c.status <> 'closed' then c.waiting_since end as waiting_since,
      case
        when c.id is null or not case
          when i.from_owner then i.alias is null or c.handler_alias = any (string_to_array(i.alias, ' '))
          else coalesce(d.attached, false)
        end then 4
        when i.known_seq is not null then case when i.known_same then 1 else 2 end
        when i.from_owner and (select n.state from invites n where n.id = c.invite_id) = 'REVOKED' then 3
        when i.media_id is not null and i.picture is null then 6
        when case c.status
          when 'open' then true
          -- Not a join: only a blocked conversation pays for the lookup.
          when 'blocked' then (select b.until from blocks b where b.conversation_id = c.id) <= v_now
        end then case when i.outdated then 5 else 0 end
        when c.status = 'closed' and not i.from_owner
          and c.closed_at + make_interval(days => (
            select b.reopen_days from handlers h join profiles b on b.slug = h.profile where h.alias = c.handler_alias
          )) > v_now then 0
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
    select j.item, j.outcome, j.conversation_id, j.invite_id, j.id, j.from_owner, j.author_id, j.text, j.media_id, j.handler_alias,
      j.last_seq + count(*) filter (where j.outcome = 0) over so_far as seq,
      j.unread + count(*) filter (where j.outcome = 0 and not j.from_owner) over so_far as unread,
      j.rev + (j.status <> 'open')::integer as rev,
      min(j.item) filter (where not j.from_owner) over so_far as asked,
      max(j.item) filter (where j.from_owner) over so_far as answered,
      lag(j.from_owner) over so_far as after_owner,
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
    insert into figures_fresh (quarter, visitors, replies, alias)
    select date_bin('15 minutes', n.at, 'epoch'), count(*) filter (where not n.from_owner),
      count(*) filter (where n.from_owner), min(n.handler_alias)
    from numbered n where n.outcome = 0
    -- One row for all desks of a profile. With one profile, no message looks for its own.
    group by 1, case when v_several then (select h.profile from handlers h where h.alias = n.handler_alias) end
  ),
  carried as (
    update media m set message_id = n.id from numbered n
    where n.outcome = 0 and n.media_id is not null and m.id = n.media_id
  ),
  told as (
    insert into push_due as p (conversation_id, to_owner, seq, due_at)
    select n.conversation_id, not n.from_owner, max(n.seq), v_now + interval '10 seconds'
    from numbered n
    -- With a limit, each is an index lookup.
    left join lateral (
      select true as listens from devices d join push_subscriptions s on s.visitor_id = d.visitor_id
      where n.from_owner and d.conversation_id = n.conversation_id and d.revoked_at is null
      limit 1
    ) visitor on true
    left join lateral (
      select true as listens from desk_staff d join push_subscriptions s on s.staff_id = d.staff_id
      where not n.from_owner and d.alias = n.handler_alias
      limit 1
    ) desk on true
    where n.outcome = 0 and (visitor.listens or desk.listens or (
      n.from_owner and exists (select from visitor_mails m where m.conversation_id = n.conversation_id)
    ))
    group by n.conversation_id, n.from_owner
    on conflict (conversation_id, to_owner) do update
    set seq = excluded.seq, due_at = next_push_at(p, v_now)
  ),
  hooked as (
    insert into webhook_deliveries (
      endpoint_id, type, at, invite_id, conversation_id, seq, message_id, from_owner, image
    )
    select w.id, e.type, n.at, n.invite_id, n.conversation_id, n.seq, n.id, n.from_owner, n.media_id is not null
    from numbered n
    cross join lateral (values
      (1, 'message.stored', true),
      (2, 'conversation.waiting', not n.from_owner and coalesce(n.after_owner, n.waiting_since is null)),
      (2, 'conversation.answered', n.from_owner and coalesce(not n.after_owner, n.waiting_since is not null))
    ) as e (place, type, happens)
    join webhook_endpoints w on e.type = any (w.events) and w.state <> 'disabled'
    where v_hooked and n.outcome = 0 and e.happens
    order by n.seq, e.place
  ),
  moved as (
    update conversations c
    set last_seq = n.seq,
      last_message_at = n.at,
      preview = case when n.media_id is null then left(n.text, 140) else '[Media]' end,
      preview_from_owner = n.from_owner,
      unread = n.unread,
      -- A reply ends the wait. A visitor's message after it begins a new one. All messages of a batch have one time.
      waiting_since = case when n.from_owner then null when n.answered is not null then n.at else coalesce(n.waiting_since, n.at) end,
      marked_unread = c.marked_unread and n.answered is null,
      first_asked_at = case when n.asked is null then c.first_asked_at else coalesce(c.first_asked_at, n.at) end,
      first_replied_at = case
        when c.first_replied_at is null and n.answered is not null
          and (c.first_asked_at is not null or n.asked < n.answered) then n.at
        else c.first_replied_at
      end,
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

-- When to notify of a new message, if the conversation already has a row in push_due. append_messages calls it.
create or replace function next_push_at(p push_due, p_now timestamptz) returns timestamptz
language sql stable
as $$
  select case
    -- A pending notification covers this message too. Not if its own message was seen meanwhile: the reader has ten
    -- seconds for this one. Nor if it is a minute late: then no worker sends at present.
    when p.due_at > p_now - interval '1 minute' and p.seq > (
      select case when p.to_owner then c.owner_seen else c.visitor_seen end
      from conversations c where c.id = p.conversation_id
    ) then p.due_at
    -- At most one notification every 30 seconds.
    else greatest(p_now + interval '10 seconds', p.pushed_at + interval '30 seconds')
  end
$$;

-- Once in a conversation's life: how long the visitor waited, and that their invite has come so far. Not in
-- append_messages itself, where every send would pay for it.
create or replace function count_first_reply() returns trigger language plpgsql as $$
begin
  insert into figures_fresh (quarter, answered, waits, alias)
  select date_bin('15 minutes', new.first_replied_at, 'epoch'), null,
    wait_entry(new.first_replied_at - new.first_asked_at, h.number), h.alias
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
  select date_bin('15 minutes', i.created_at, 'epoch'), 1, null, i.handler_alias
  from invites i where i.id = new.invite_id;
  return null;
end $$;

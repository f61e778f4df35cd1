-- Counts new conversations, for each desk.
create or replace function count_conversations() returns trigger language plpgsql as $$
begin
  insert into figures_fresh (quarter, conversations, alias)
  select date_bin('15 minutes', created_at, 'epoch'), count(*), handler_alias from added group by 1, handler_alias;
  return null;
end $$;

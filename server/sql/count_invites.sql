-- Counts new invites, for each desk.
create or replace function count_invites() returns trigger language plpgsql as $$
begin
  insert into figures_fresh (quarter, invites, opened, started, alias)
  select date_bin('15 minutes', created_at, 'epoch'), count(*), count(coalesce(seen_at, bound_at)), count(bound_at),
    handler_alias
  from added group by 1, handler_alias;
  return null;
end $$;

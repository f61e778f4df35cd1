-- How many invites each desk has in each state. Counting the invites themselves takes longer with every invite.
set local lock_timeout = '300ms';

-- Every change adds rows and changes none, so nobody waits for anybody. A job merges the rows of the same key, and
-- readers add them up. No index: it is always read whole.
create table invite_counts (
  handler_alias text not null,
  state text not null,
  -- The day (UTC) on which a NEW or SEEN invite expires, or '-infinity' for any day in the past. 'infinity' in other states.
  expires_on date not null,
  count bigint not null
) with (
  vacuum_truncate = off,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = -1
);

-- As the owner: gateways of the previous release write invites before they get rights on the new table.
create function count_invite_states() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  if tg_op = 'INSERT' then
    insert into invite_counts
    select handler_alias, state,
      case when state in ('NEW', 'SEEN') then (expires_at at time zone 'UTC')::date else 'infinity' end, count(*)
    from added group by 1, 2, 3;
  elsif tg_op = 'DELETE' then
    insert into invite_counts
    select handler_alias, state,
      case when state in ('NEW', 'SEEN') then (expires_at at time zone 'UTC')::date else 'infinity' end, -count(*)
    from removed group by 1, 2, 3;
  else
    insert into invite_counts
    select handler_alias, state,
      case when state in ('NEW', 'SEEN') then (expires_at at time zone 'UTC')::date else 'infinity' end, sum(change)
    from (
      select handler_alias, state, expires_at, 1 as change from added
      union all
      select handler_alias, state, expires_at, -1 from removed
    ) changed
    group by 1, 2, 3 having sum(change) <> 0;
  end if;
  return null;
end $$;

create trigger count_new_invites after insert on invites
  referencing new table as added for each statement execute function count_invite_states();
create trigger count_changed_invites after update on invites
  referencing old table as removed new table as added for each statement execute function count_invite_states();
create trigger count_deleted_invites after delete on invites
  referencing old table as removed for each statement execute function count_invite_states();

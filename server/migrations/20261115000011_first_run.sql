-- Up Migration

set local lock_timeout = '3s';

-- What there is once per installation. Its id goes into the setup code, so that another database has another.
create table installation (
  only_row boolean primary key default true check (only_row),
  id uuid not null default gen_random_uuid(),
  -- When the first administrator came to be; from then on nobody becomes one by the code.
  set_up_at timestamptz
);
insert into installation default values;

-- Whoever makes an administrator, by whatever way, also with the release before: it is set up, for good. Of two who
-- try to be the first at once, one waits here for the other.
create function note_administrator() returns trigger language plpgsql as $$
begin
  update installation set set_up_at = now() where set_up_at is null;
  return null;
end $$;
create trigger staff_first_administrator after insert or update of role on staff
  for each row when (new.role = 'admin') execute function note_administrator();

-- Only now: the trigger waited for whoever wrote to `staff`, and lets nobody in before the commit. An administrator made
-- meanwhile is either found here or noted by it.
update installation set set_up_at = (select min(created_at) from staff where role = 'admin');

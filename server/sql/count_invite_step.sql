-- Counts an invite that was opened or claimed. A claim opens an invite that nobody has looked at.
create or replace function count_invite_step() returns trigger language plpgsql as $$
begin
  insert into figures_fresh (quarter, opened, started, alias) values (
    date_bin('15 minutes', new.created_at, 'epoch'),
    (coalesce(new.seen_at, new.bound_at) is not null)::integer - (coalesce(old.seen_at, old.bound_at) is not null)::integer,
    (new.bound_at is not null)::integer - (old.bound_at is not null)::integer,
    new.handler_alias
  );
  return null;
end $$;

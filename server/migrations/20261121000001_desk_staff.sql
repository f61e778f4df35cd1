-- Who answers at which desks. `staff.alias` stays the first desk of a person; it is null for who has none.
set local lock_timeout = '300ms';
create table desk_staff (
  alias text not null references handlers (alias),
  staff_id uuid not null references staff (id) on delete cascade,
  -- Off duty: the person's pages do not make this desk online, and it does not notify them.
  off boolean not null default false,
  primary key (alias, staff_id)
);
create index desk_staff_person on desk_staff (staff_id);

-- When the first desk changes, the new one replaces the old one, and the person keeps the others. So does a gateway of the
-- release before, which knows no others. Who loses the first desk without another loses all of them: an earlier release
-- shows that person as one without a desk, and must be right. The new row comes first, because the only desk of a person is
-- never off (below). As the owner: that gateway writes before it gets rights on the new table.
create function follow_first_desk() returns trigger language plpgsql security definer set search_path from current as $$
begin
  if new.alias is null then
    delete from desk_staff d where d.staff_id = new.id;
  else
    insert into desk_staff (alias, staff_id) values (new.alias, new.id) on conflict do nothing;
    if tg_op = 'UPDATE' and old.alias <> new.alias then
      delete from desk_staff d where d.staff_id = new.id and d.alias = old.alias;
    end if;
  end if;
  return null;
end $$;
create trigger follow_first_desk after insert or update of alias on staff
  for each row execute function follow_first_desk();

-- Only several desks have a switch each.
create function last_desk_is_on() returns trigger language plpgsql security definer set search_path from current as $$
begin
  update desk_staff d set off = false
  where d.staff_id = old.staff_id and d.off
    and not exists (select from desk_staff o where o.staff_id = d.staff_id and o.alias <> d.alias);
  return null;
end $$;
create trigger last_desk_is_on after delete on desk_staff
  for each row execute function last_desk_is_on();

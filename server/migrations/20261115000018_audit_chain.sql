-- The audit log as a chain: each entry holds the hash of the one before, so nothing in it can be changed, taken out or
-- put in without breaking all that follows. `settee audit verify` walks it; what it recomputes is described there.

-- Whatever staff does waits behind whoever waits for all of `audit`: against a table that stays busy this fails, changes
-- nothing, and is run again.
set local lock_timeout = '3s';

-- Numbers are given out with the lock of the head: unlike a sequence's they have no gaps.
alter table audit alter column id drop identity;
alter table audit add column prev bytea, add column hash bytea;

-- Where the chain ends. Whoever adds an entry waits here for the one before, until its commit.
create table audit_head (
  only_row boolean primary key default true check (only_row),
  count bigint not null,
  hash bytea not null
);
insert into audit_head (count, hash) values (0, decode(repeat('00', 32), 'hex'));

-- Of each part its length and its text, so that no two entries read alike.
create function audit_hash(
  prev bytea, id bigint, at timestamptz, actor text, action text, target text, details jsonb
) returns bytea language sql stable as $$
  select sha256(prev || convert_to(
    string_agg(octet_length(convert_to(word, 'UTF8')) || ':' || word, '' order by place), 'UTF8'
  ))
  from unnest(array[
    id::text, (extract(epoch from at) * 1000000)::bigint::text, actor, action, target, details::text
  ]) with ordinality as part (word, place)
$$;

-- What was written before this release becomes the chain's beginning, numbered without gaps.
alter table audit disable trigger audit_insert_only;
do $$
declare
  entry record;
  number bigint := 0;
  last bytea := (select hash from audit_head);
begin
  for entry in select id from audit order by id loop
    number := number + 1;
    update audit a
    set id = number, prev = last, hash = audit_hash(last, number, a.at, a.actor, a.action, a.target, a.details)
    where a.id = entry.id
    returning a.hash into last;
  end loop;
  update audit_head set count = number, hash = last;
end $$;
alter table audit enable trigger audit_insert_only;
alter table audit alter column prev set not null, alter column hash set not null;

-- The time is that of the writing, under the lock: so the order of the numbers is that of the times, whoever waited.
create function chain_audit() returns trigger language plpgsql as $$
declare
  head audit_head;
begin
  select * into strict head from audit_head for update;
  new.id := head.count + 1;
  new.at := clock_timestamp();
  new.prev := head.hash;
  new.hash := audit_hash(new.prev, new.id, new.at, new.actor, new.action, new.target, new.details);
  update audit_head set count = new.id, hash = new.hash;
  return new;
end $$;
create trigger audit_chain before insert on audit for each row execute function chain_audit();

-- The head moves with an entry, by one, and in no other way.
create function guard_audit_head() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and pg_trigger_depth() > 1 and new.count = old.count + 1 then
    return new;
  end if;
  raise exception 'the audit log is insert-only';
end $$;
create trigger audit_head_moves before insert or update or delete on audit_head
  for each row execute function guard_audit_head();
create trigger audit_head_stays before truncate on audit_head
  for each statement execute function refuse_audit_change();

create index audit_actor on audit (actor, id);
create index audit_action on audit (action, id);

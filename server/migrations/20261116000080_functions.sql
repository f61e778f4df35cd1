-- Every send reads `brand`. If the lock is not free within 3 seconds, this fails, changes nothing, and can run again.
set local lock_timeout = '3s';

-- Only for an installation without a profile. A name that was chosen stays.
alter table brand alter column display_name set default 'Settee';

-- The functions of server/sql that were applied, by the SHA-256 of their file. See `settee migrate`.
create table applied_functions (
  hash text primary key,
  name text not null,
  applied_at timestamptz not null default now()
);

-- Two earlier signatures, unused since 0.1.0.
drop function append_messages(uuid[], uuid[], boolean[], uuid[], text[], text[], boolean);
drop function append_messages(uuid[], uuid[], boolean[], uuid[], text[], text[], integer[], boolean);

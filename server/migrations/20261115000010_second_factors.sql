-- As in 20261115000009: calls of staff wait behind whoever waits for all of `staff_sessions`.
set local lock_timeout = '3s';

-- What a member of staff can show besides the password. None of it is needed to send a message: new tables, and one
-- column of a table that only staff's calls read.
create table staff_totp (
  staff_id uuid primary key references staff (id) on delete cascade,
  -- Encrypted under a key that is not in the database.
  secret bytea not null,
  -- The newest 30 s step whose code was used: no code counts twice.
  last_step bigint not null,
  created_at timestamptz not null default now()
);

create table staff_passkeys (
  id uuid primary key default gen_random_uuid(),
  staff_id uuid not null references staff (id) on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  -- How often it was used, as it says itself; 0 for ever where it does not count.
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index staff_passkeys_staff on staff_passkeys (staff_id, created_at);

-- Those that were not used yet, as keyed hashes.
create table staff_recovery_codes (
  staff_id uuid not null references staff (id) on delete cascade,
  hash bytea not null,
  primary key (staff_id, hash)
);

-- Tickets between the two steps of a sign-in that opened a session, until they end by themselves.
create table spent_tickets (
  id uuid primary key,
  expires_at timestamptz not null
);

-- When the password was typed again in an open session.
alter table staff_sessions add column confirmed_at timestamptz;

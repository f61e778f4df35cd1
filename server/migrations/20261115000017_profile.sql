-- Every send reads `brand`, and waits behind whoever waits for all of it: against one that stays busy this fails, changes
-- nothing, and is run again.
set local lock_timeout = '3s';

-- What an administrator sets besides the public profile itself: from when a visitor counts as waiting, and as waiting
-- too long; for how many days conversations are kept, null standing for ever.
alter table brand
  add column waiting_minutes integer not null default 5 check (waiting_minutes >= 1),
  add column waiting_long_minutes integer not null default 15 check (waiting_long_minutes >= 1),
  add column keep_days integer check (keep_days >= 1);

-- The profile's picture, as our own process drew it. The brand's row names the one that is shown; no other is kept.
create table avatars (
  id uuid primary key,
  type text not null,
  bytes bytea not null,
  created_at timestamptz not null default now()
);

-- Neither table is on a message's way; but sign-ins wait behind whoever waits for all of `staff`.
set local lock_timeout = '3s';

-- Null for somebody who has yet to choose one: no password opens such an account. A release before this one takes null
-- for a hash that nothing matches.
alter table staff
  alter column password_hash drop not null,
  -- When a page of theirs was last open.
  add column last_seen_at timestamptz;

-- One-time links by which a password is chosen. One for a person: a newer one takes its place, and one that was used is
-- gone.
create table password_links (
  staff_id uuid primary key references staff (id) on delete cascade,
  -- SHA-256 of the token: a stolen table opens no account.
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

-- Who has a page open, through which gateway, until when. As `presence`, which is about desks.
create table staff_presence (
  staff_id uuid not null references staff (id) on delete cascade,
  gateway_id uuid not null,
  expires_at timestamptz not null,
  primary key (staff_id, gateway_id)
);

set local lock_timeout = '300ms';

-- Addresses that get events. Every send reads it, so it is small and changes rarely.
create table webhook_endpoints (
  id uuid primary key default gen_random_uuid(),
  url text not null,
  events text[] not null,
  with_text boolean not null,
  -- A paused endpoint keeps its events for later. A disabled one gets none.
  state text not null default 'active' check (state in ('active', 'paused', 'disabled')),
  -- Sealed with a key from SECRET. The previous one also signs until its end.
  secret bytea not null,
  previous_secret bytea,
  previous_until timestamptz,
  created_at timestamptz not null default now(),
  -- The first failure since the last success, and when to try again.
  failing_since timestamptz,
  retry_at timestamptz,
  -- The last success after a failure.
  recovered_at timestamptz
) with (fillfactor = 50);

-- Events and their deliveries: one row per event and endpoint, written in the transaction of what happened. It has ids
-- and no content. No foreign keys: a send would lock the endpoint's row, and an erasure would wait for sends.
create table webhook_deliveries (
  endpoint_id uuid not null,
  -- Numbers of one invite are in the order of what happened, because its rows are locked meanwhile.
  position bigint generated always as identity,
  -- For receivers: the same in every attempt. Positions can repeat after a restore.
  id uuid not null default gen_random_uuid(),
  type text not null,
  at timestamptz not null,
  invite_id uuid not null,
  conversation_id uuid,
  seq integer,
  message_id uuid,
  from_owner boolean,
  image boolean,
  done boolean not null default false,
  delivered_at timestamptz,
  -- The next attempt, or the end of the lease of the current one.
  due_at timestamptz not null default now(),
  attempts integer not null default 0,
  first_tried_at timestamptz,
  tried_at timestamptz,
  -- An administrator sent it again after its end.
  resent boolean not null default false,
  status integer,
  problem text,
  took_ms integer,
  primary key (endpoint_id, position)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, due_at) where not done;
create index webhook_deliveries_invite on webhook_deliveries (invite_id, endpoint_id, done, position);
-- For the page, which shows all, those that wait, or those that failed.
create index webhook_deliveries_waiting on webhook_deliveries (endpoint_id, position) where not done;
create index webhook_deliveries_failed on webhook_deliveries (endpoint_id, position) where done and delivered_at is null;
-- For the purge.
create index webhook_deliveries_at on webhook_deliveries (at);

-- Up Migration

set local lock_timeout = '3s';

-- By which a gateway knows whether its SECRET is the one that this database was used with, and the keys of earlier
-- secrets, sealed under it, by which what was stored as a keyed hash can still be compared.
alter table installation add column secret_check bytea, add column older_keys bytea;

-- Who works off jobs. A row that was not renewed for a while belongs to a process that died.
create table workers (
  id uuid primary key,
  seen_at timestamptz not null default now()
);

-- A row that fills most of a page is inserted here and rolled back: it succeeds only where PostgreSQL can extend a file.
create table write_probe (filler bytea not null);
alter table write_probe alter column filler set storage plain;

-- Sends do not touch this table; claims wait for a moment. Against a table that stays busy this fails, changes nothing,
-- and is run again.
set local lock_timeout = '3s';

alter table invites
  -- Days after which the conversation is deleted; null for the installation's own.
  add column keep_days integer check (keep_days > 0),
  -- Who made it, and with which others: a page that lost the answer may ask for the same again, and nobody else may.
  add column batch_id uuid,
  -- Which time of asking made the link: an earlier one that arrives late must not replace what a later one gave.
  add column attempt integer,
  add column created_by uuid references staff (id);

-- The list: newest first, of all, of one state, of one handler.
create index invites_newest on invites (created_at desc, id desc);
create index invites_state on invites (state, created_at desc, id desc);
create index invites_handler on invites (handler_alias, created_at desc, id desc);

-- Any part of a label. Where the extension cannot be had, labels are read one by one instead: slower, and right.
do $$
begin
  create extension if not exists pg_trgm;
  create index invites_label on invites using gin (lower(label) gin_trgm_ops);
exception when insufficient_privilege or undefined_file or feature_not_supported then
  raise notice 'no pg_trgm: labels are searched without an index';
end $$;

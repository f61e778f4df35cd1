-- These tables are read by every claim and send. If one stays locked, this fails, changes nothing, and can be run again.
set local lock_timeout = '3s';

-- Which browser joined, such as 'Firefox on Android'. Empty for devices that joined before this migration.
alter table devices add column browser text not null default '';

-- A code is derived from the secret, the invite and this number, so that the server can tell the first device which code
-- works now. A code from before this migration is random: it works until it is used, but cannot be shown again.
alter table invites add column code_number integer not null default 0;

-- Whether visitors may delete their conversations.
alter table brand add column visitor_erase boolean not null default true;

-- A deleted conversation leaves this: no names, no content. Rows are removed after 90 days (src/db/engine/expiry.ts).
create table deleted_conversations (
  conversation_id uuid primary key,
  handler_alias text not null,
  deleted_by text not null check (deleted_by in ('visitor', 'staff', 'retention')),
  deleted_at timestamptz not null default now()
);
create index deleted_conversations_of_desk on deleted_conversations (handler_alias, deleted_at desc);
create index deleted_conversations_by_time on deleted_conversations (deleted_at desc);

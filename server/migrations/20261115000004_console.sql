-- A send waits behind whoever waits for the whole table. Against one that stays busy this fails, changes nothing, and is
-- run again; better than every send standing still. The strongest lock comes first, so that none is asked for twice, and
-- nothing here reads the table while it is held: what does is in 20261115000007_beside_sends.ts.
set local lock_timeout = '3s';

-- Since when somebody waits for an answer, and whether a handler wants to see a conversation again. Neither is in an
-- index: see conversations in the first migration.
alter table conversations
  add column waiting_since timestamptz,
  add column marked_unread boolean not null default false;

-- Signed in, but not there for visitors.
alter table staff add column away boolean not null default false;

-- Internal notes. A table of their own: nothing that reads messages can reach them.
create table notes (
  id uuid primary key,
  conversation_id uuid not null references conversations (id),
  -- Stands behind the message with this number.
  after_seq integer not null,
  author_id uuid not null references staff (id),
  text text not null,
  created_at timestamptz not null default now(),
  -- Both set for a hand-over from one desk to another.
  from_alias text,
  to_alias text,
  check ((from_alias is null) = (to_alias is null))
);
create index notes_conversation on notes (conversation_id, created_at);

create table saved_replies (
  id uuid primary key,
  staff_id uuid not null references staff (id),
  shortcut text not null,
  text text not null,
  shared boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index saved_replies_own on saved_replies (staff_id, shortcut) where not shared;
create unique index saved_replies_shared on saved_replies (shortcut) where shared;

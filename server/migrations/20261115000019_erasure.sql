-- Whoever waits for all of `invites` holds up claims: against a table that stays busy this fails, and is run again.
set local lock_timeout = '3s';

-- Conversations that were erased a moment ago. What is under way at that moment (an address for an upload that was given
-- before, a worker that draws, the search index) may still leave something behind: it is looked for once more an hour
-- later, and then this row goes too.
create table erasures (
  conversation_id uuid primary key,
  -- Whoever had a place in it.
  visitors uuid[] not null,
  erased_at timestamptz not null default now()
);

-- After how many days without a message a conversation is erased. Null stands for never; an invite's own number goes
-- before the installation's.
alter table brand add column if not exists keep_days integer check (keep_days >= 1);
alter table invites add column if not exists keep_days integer check (keep_days >= 1);

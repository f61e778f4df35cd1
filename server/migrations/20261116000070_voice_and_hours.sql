-- Every send reads `brand`. If the lock is not free within 3 seconds, this fails, changes nothing, and is run again.
set local lock_timeout = '3s';

-- The host's own words, null where there are none. The usual reply time is written by a job. `hours_rev` grows when
-- opening hours or the away message change, so that every gateway finds the change even if its hint was lost.
alter table brand
  add column greeting text,
  add column farewell text,
  add column away_message text,
  add column usual_reply_minutes integer,
  add column hours_rev integer not null default 0;

-- When somebody answers at a desk: `week` is an array of seven days from Monday, each a list of {from, to} in minutes
-- after midnight in `time_zone`. A desk without a row has no hours and is never away.
create table desk_hours (
  alias text primary key references handlers (alias) on delete cascade,
  time_zone text not null,
  week jsonb not null,
  updated_at timestamptz not null default now()
);

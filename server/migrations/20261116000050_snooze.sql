-- Every send updates `conversations`, and waits behind whoever waits for all of it: against one that stays busy this
-- fails, changes nothing, and is run again.
set local lock_timeout = '3s';

-- A snoozed conversation is hidden from the queue until this time, or until a visitor's message with a higher number
-- than `snoozed_seq`. No index holds either column, so an update of the row stays heap-only.
alter table conversations
  add column snoozed_until timestamptz,
  add column snoozed_seq integer;

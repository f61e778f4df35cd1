-- Every call of staff reads this table, and waits behind whoever waits for all of it: against one that stays busy this
-- fails, changes nothing, and is run again.
set local lock_timeout = '3s';

-- When whoever holds the session showed more than a password. An administrator's session opens nothing before.
alter table staff_sessions add column second_factor_at timestamptz;

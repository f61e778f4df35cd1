-- Up Migration

set local lock_timeout = '300ms';

-- The names under which graphile-worker locks the jobs of a process. Whoever sees that the process died unlocks them.
alter table workers add column pools text[] not null default '{}';

-- The name of a desk for staff; null for a desk that only has its alias.
set local lock_timeout = '300ms';
alter table handlers add column name text;

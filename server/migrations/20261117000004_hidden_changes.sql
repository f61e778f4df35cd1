-- Changes of `rev` that a visitor must not notice, such as a handover. A visitor's revision is `rev` without them.
set local lock_timeout = '3s';
alter table conversations add column hidden_changes integer not null default 0;

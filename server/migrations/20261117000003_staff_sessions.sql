set local lock_timeout = '3s';
-- When the person last did something in this session, and where, for the idle timeout and the list of sessions.
-- The network is shortened: it names a region, not a line.
alter table staff_sessions
  add column last_used_at timestamptz not null default now(),
  add column browser text not null default '',
  add column network text not null default '';

-- Up Migration

set local lock_timeout = '3s';

-- Since when a missing second factor is tolerated, for seven days: the first sign-in, or the promotion to administrator.
-- Whoever has signed in before this release has seven days from now.
alter table staff add column grace_from timestamptz;
update staff set grace_from = now() where exists (select from staff_sessions where staff_id = staff.id);

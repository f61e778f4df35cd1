-- Up Migration

set local lock_timeout = '3s';

-- When the seven days without a second factor begin: at the first sign-in, or at the promotion to administrator.
-- Staff who signed in before this release get seven days from their next sign-in.
alter table staff add column grace_from timestamptz;

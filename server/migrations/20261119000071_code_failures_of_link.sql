set local lock_timeout = '300ms';

-- Wrong codes with this link, also of earlier codes. A renewed code does not reset it.
alter table invites add column code_failures_of_link integer not null default 0;

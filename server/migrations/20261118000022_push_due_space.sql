-- Most updates of a row keep `due_at`, the only indexed column that changes. With room on its page such an update does
-- not touch the indexes.
set local lock_timeout = '300ms';
alter table push_due set (
  fillfactor = 50,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_scale_factor = 0.02
);

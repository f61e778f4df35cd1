set local lock_timeout = '300ms';

-- The time of the newest backup that was read back and compared: for the metric and for doctor.
alter table installation add column backup_at timestamptz;

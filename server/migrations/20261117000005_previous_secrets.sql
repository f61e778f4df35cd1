set local lock_timeout = '3s';
-- The secret that the session had until `confirmed_at`. Other tabs may use it some seconds longer.
alter table staff_sessions add column previous_hash bytea;

-- When whoever holds the session showed more than a password. An administrator's session opens nothing before.
alter table staff_sessions add column second_factor_at timestamptz;

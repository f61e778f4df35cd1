set local lock_timeout = '300ms';
-- Mails about visitors who wait: whether this person wants them, and when the last was sent.
alter table staff
  add column waiting_mail boolean not null default false,
  add column waiting_mailed_at timestamptz;
-- The wait (waiting_since) of which the desk was told by mail. Sends do not change it: the next wait has another time.
alter table conversations add column waiting_mailed_since timestamptz;
alter table brand add column visitor_mail boolean not null default false;

-- The language of visitors whose browser asks for none that Settee has.
set local lock_timeout = '300ms';
alter table brand add column language text not null default 'en';

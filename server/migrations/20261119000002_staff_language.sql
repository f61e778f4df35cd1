-- The language that a person chose for the console and for mails; null for that of the browser.
set local lock_timeout = '300ms';
alter table staff add column language text;

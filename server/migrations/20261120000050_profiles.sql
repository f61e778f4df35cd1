-- The public profiles. A desk belongs to one of them, for good, and its visitors see no other.
create table profiles (
  -- For staff only. The first profile is 'main'.
  slug text primary key check (slug ~ '^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$'),
  -- Tells pages of visitors that two profiles differ. The slug would be a name that staff chose.
  mark uuid not null unique default gen_random_uuid(),
  -- Its own address; null for PUBLIC_URL.
  host text unique,
  display_name text not null default 'Settee',
  avatar_url text,
  verified boolean not null default true,
  reopen_days integer not null default 7 check (reopen_days >= 0),
  updated_at timestamptz not null default now(),
  disclosure text,
  waiting_minutes integer not null default 5 check (waiting_minutes >= 1),
  waiting_long_minutes integer not null default 15 check (waiting_long_minutes >= 1),
  keep_days integer check (keep_days >= 1),
  visitor_erase boolean not null default true,
  greeting text,
  farewell text,
  away_message text,
  usual_reply_minutes integer,
  hours_rev integer not null default 0,
  language text not null default 'en',
  visitor_mail boolean not null default false,
  archived_at timestamptz
);
insert into profiles (slug) values ('main');

set local lock_timeout = '300ms';
alter table avatars add column profile text not null default 'main';
alter table handlers add column profile text not null default 'main';
-- Existing rows have the default.
alter table handlers add constraint handlers_profile foreign key (profile) references profiles not valid;

-- This program knows that there are several profiles. 0.2.0 leaves it false.
alter table gateways add column knows_profiles boolean not null default false;
alter table workers add column knows_profiles boolean not null default false;

-- For chats of this profile only; null for all.
alter table saved_replies add column profile text;

-- The figures of the other profiles, so that `figures` stays the sum of all. Those of the first one are the rest.
create table profile_figures (
  profile text not null,
  quarter timestamptz not null,
  visitors bigint not null default 0,
  replies bigint not null default 0,
  conversations bigint not null default 0,
  invites bigint not null default 0,
  opened bigint not null default 0,
  started bigint not null default 0,
  answered bigint not null default 0,
  primary key (profile, quarter)
) with (fillfactor = 50);

create function refuse_other_profile() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'handlers' then
    raise exception 'a desk keeps its profile' using errcode = 'check_violation';
  elsif (select profile from handlers where alias = old.handler_alias)
    is distinct from (select profile from handlers where alias = new.handler_alias)
  then
    raise exception 'this desk has another profile' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger profile before update of profile on handlers
  for each row when (old.profile is distinct from new.profile) execute function refuse_other_profile();
create trigger profile before update of handler_alias on invites
  for each row when (old.handler_alias is distinct from new.handler_alias) execute function refuse_other_profile();
-- A desk of the profile that the row counts for; null for the first one.
alter table figures_fresh add column alias text;
-- Sends do not change the desk, so this costs them nothing.
create trigger profile before update of handler_alias on conversations
  for each row when (old.handler_alias is distinct from new.handler_alias) execute function refuse_other_profile();

-- While both releases run, programs of 0.2.0 read and write `brand`, and newer ones the profile 'main'. Each change of one
-- is a change of the other, in the same transaction, so neither shows something old. The depth ends it there. Two changes
-- at the same moment from both sides can be a deadlock, and then one is refused. The second profile removes the row of
-- `brand` (createProfile): from then on a gateway of 0.2.0 does not start, and a worker of 0.2.0 sends no notification, so
-- neither shows the wrong profile. Such a worker runs, and a notification that it takes is lost: see docs/upgrade.md.
create function mirror_profile() returns trigger language plpgsql security definer set search_path from current as $$
begin
  if tg_table_name = 'brand' then
    update profiles set display_name = new.display_name, avatar_url = new.avatar_url, verified = new.verified,
      reopen_days = new.reopen_days, updated_at = new.updated_at, disclosure = new.disclosure,
      waiting_minutes = new.waiting_minutes, waiting_long_minutes = new.waiting_long_minutes,
      keep_days = new.keep_days, visitor_erase = new.visitor_erase, greeting = new.greeting, farewell = new.farewell,
      away_message = new.away_message, usual_reply_minutes = new.usual_reply_minutes, hours_rev = new.hours_rev,
      language = new.language, visitor_mail = new.visitor_mail
    where slug = 'main';
  else
    update brand set display_name = new.display_name, avatar_url = new.avatar_url, verified = new.verified,
      reopen_days = new.reopen_days, updated_at = new.updated_at, disclosure = new.disclosure,
      waiting_minutes = new.waiting_minutes, waiting_long_minutes = new.waiting_long_minutes,
      keep_days = new.keep_days, visitor_erase = new.visitor_erase, greeting = new.greeting, farewell = new.farewell,
      away_message = new.away_message, usual_reply_minutes = new.usual_reply_minutes, hours_rev = new.hours_rev,
      language = new.language, visitor_mail = new.visitor_mail;
  end if;
  return null;
end $$;
create trigger mirror after update on profiles
  for each row when (new.slug = 'main' and pg_trigger_depth() = 0) execute function mirror_profile();
-- Before the copy: no change of `brand` can come between them.
create trigger mirror after update on brand
  for each row when (pg_trigger_depth() = 0) execute function mirror_profile();
update profiles set (display_name, avatar_url, verified, reopen_days, updated_at, disclosure, waiting_minutes,
  waiting_long_minutes, keep_days, visitor_erase, greeting, farewell, away_message, usual_reply_minutes, hours_rev,
  language, visitor_mail) = (select display_name, avatar_url, verified, reopen_days, updated_at, disclosure,
  waiting_minutes, waiting_long_minutes, keep_days, visitor_erase, greeting, farewell, away_message,
  usual_reply_minutes, hours_rev, language, visitor_mail from brand);

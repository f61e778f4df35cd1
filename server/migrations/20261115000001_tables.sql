-- Up Migration

-- The public profile. One row: a cell serves one profile.
create table brand (
  only_row boolean primary key default true check (only_row),
  display_name text not null default 'Chat with us',
  avatar_url text,
  verified boolean not null default true,
  reopen_days integer not null default 7 check (reopen_days >= 0),
  updated_at timestamptz not null default now()
);
insert into brand default values;

-- A desk. Conversations belong to an alias, never to a person.
create table handlers (
  alias text primary key check (alias ~ '^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$'),
  created_at timestamptz not null default now()
);

create table staff (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  name text not null,
  password_hash text not null,
  -- Any word may stand here; only 'handler' and 'admin' open a door.
  role text not null default 'none',
  alias text references handlers (alias),
  active boolean not null default true,
  created_at timestamptz not null default now()
);
create unique index staff_email on staff (lower(email));

create table staff_sessions (
  id uuid primary key default gen_random_uuid(),
  token_hash bytea not null unique,
  staff_id uuid not null references staff (id),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index staff_sessions_staff on staff_sessions (staff_id);
create index staff_sessions_expiry on staff_sessions (expires_at);

create table invites (
  id uuid primary key default gen_random_uuid(),
  -- SHA-256 of the token: a stolen table opens no chat.
  token_hash bytea not null unique,
  label text not null default '',
  handler_alias text not null references handlers (alias),
  state text not null default 'NEW' check (state in ('NEW', 'SEEN', 'BOUND', 'REVOKED')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  seen_at timestamptz,
  bound_at timestamptz,
  revoked_at timestamptz,
  -- The continue code: HMAC under a pepper that is not in the database.
  code_hash bytea,
  code_failures integer not null default 0,
  code_failures_in_life integer not null default 0,
  code_locked_until timestamptz
);

create table conversations (
  id uuid primary key default gen_random_uuid(),
  -- Unique: an invite binds once, whatever races for it.
  invite_id uuid not null unique references invites (id),
  handler_alias text not null references handlers (alias),
  visitor_id uuid not null,
  visitor_name text not null default '',
  status text not null default 'open' check (status in ('open', 'closed', 'blocked')),
  created_at timestamptz not null default now(),
  closed_at timestamptz,
  -- What a send moves. None of it is in an index, so that the update stays in its page (heap-only).
  last_message_at timestamptz not null default now(),
  last_seq integer not null default 0,
  unread integer not null default 0,
  preview text not null default '',
  preview_from_owner boolean,
  -- What everything else moves.
  rev integer not null default 0,
  visitor_seen integer not null default 0,
  owner_seen integer not null default 0
) with (fillfactor = 60);
-- The queue of one alias is few rows: found here, sorted when read.
create index conversations_queue on conversations (handler_alias) where status = 'open';

-- No foreign key to conversations: append_messages is the only writer and holds that row's lock; a
-- trigger per message would cost more than the insert.
create table messages (
  conversation_id uuid not null,
  seq integer not null,
  -- Minted by the sender; with the conversation it makes every retry the same message.
  id uuid not null,
  from_owner boolean not null,
  -- The visitor or the member of staff. Never leaves the server towards a visitor.
  author_id uuid not null,
  created_at timestamptz not null,
  text text not null,
  media_id uuid,
  primary key (conversation_id, seq),
  constraint messages_once unique (conversation_id, id)
) partition by hash (conversation_id);

do $$
begin
  for part in 0..31 loop
    execute format(
      'create table messages_%s partition of messages for values with (modulus 32, remainder %s)',
      part, part
    );
  end loop;
end $$;

-- A browser that may see a conversation. Removing its access is one update here.
create table devices (
  conversation_id uuid not null references conversations (id),
  visitor_id uuid not null,
  -- Hash of the secret in the visitor's cookie; made anew by every claim and attach.
  credential bytea not null,
  first boolean not null default false,
  attached_at timestamptz not null default now(),
  revoked_at timestamptz,
  primary key (conversation_id, visitor_id)
);
create index devices_visitor on devices (visitor_id);

create table visitor_profiles (
  visitor_id uuid primary key,
  display_name text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table push_subscriptions (
  id uuid primary key default gen_random_uuid(),
  visitor_id uuid,
  alias text references handlers (alias),
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null default now(),
  refreshed_at timestamptz not null default now(),
  check ((visitor_id is null) <> (alias is null))
);
create index push_subscriptions_visitor on push_subscriptions (visitor_id) where visitor_id is not null;
create index push_subscriptions_alias on push_subscriptions (alias) where alias is not null;

create table media (
  id uuid primary key default gen_random_uuid(),
  conversation_id uuid not null references conversations (id),
  path text not null unique,
  media_type text not null,
  file_name text not null,
  bytes integer not null,
  state text not null default 'uploading' check (state in ('uploading', 'ready', 'refused')),
  created_at timestamptz not null default now()
);
create index media_conversation on media (conversation_id, created_at);

-- Who is at a desk, through which gateway, until when. A gateway that dies takes nobody's word with it.
create table presence (
  alias text not null references handlers (alias),
  gateway_id uuid not null,
  expires_at timestamptz not null,
  primary key (alias, gateway_id)
);

-- A gateway without a bus must be the only one.
create table gateways (
  id uuid primary key,
  alone boolean not null,
  expires_at timestamptz not null
);

create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  target text not null,
  details jsonb not null default '{}'
);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is insert-only';
end $$;
create trigger audit_insert_only before update or delete or truncate on audit
  for each statement execute function refuse_audit_change();

-- The table of rate-limiter-flexible, made here so that no request path issues DDL.
create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits_expire on rate_limits (expire);

set local lock_timeout = '300ms';

-- Keys for programs. A revoked key stays, because the audit log names it.
create table api_keys (
  id uuid primary key default gen_random_uuid(),
  key_hash bytea not null unique,
  -- The first characters, to recognise a key in a list.
  prefix text not null,
  name text not null,
  scopes text[] not null,
  created_by uuid references staff (id),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  -- At most a minute old.
  last_used_at timestamptz,
  revoked_at timestamptz
);

-- When a key last read the messages of a conversation. The audit log gets one entry an hour. No foreign key to
-- conversations: it would delay sends. An erasure deletes these rows.
create table api_key_reads (
  conversation_id uuid not null,
  key_id uuid not null references api_keys (id),
  at timestamptz not null default now(),
  primary key (conversation_id, key_id)
);

-- The key that created the invite. `created_by` is null then.
alter table invites add column created_by_key uuid;

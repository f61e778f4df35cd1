set local lock_timeout = '300ms';

-- A visitor's address for mails about replies, one per conversation. The addresses are encrypted with a key made from
-- SECRET, and bound to the conversation.
create table visitor_mails (
  conversation_id uuid primary key references conversations (id) on delete cascade,
  -- Who left it. Without access to the conversation, they get no mails.
  visitor_id uuid not null,
  -- Null until one is confirmed.
  address bytea,
  -- A code was sent there. The code's hash is keyed, too.
  pending bytea,
  code_hash bytea,
  code_expires_at timestamptz,
  code_failures smallint not null default 0,
  pending_refused boolean not null default false,
  language text not null default 'en',
  -- The newest message to write about, and when. Null when there is nothing to write about.
  seq integer,
  due_at timestamptz,
  mailed_at timestamptz,
  -- How often a mail server did not take this mail.
  tries smallint not null default 0,
  -- When the mail server of the confirmed address refused a mail for good.
  refused_at timestamptz
);
create index visitor_mails_when on visitor_mails (due_at) where due_at is not null;

-- How many mails were sent or refused, per day. No addresses.
create table mail_figures (
  day date not null,
  kind text not null,
  outcome text not null,
  count integer not null,
  last_at timestamptz not null,
  -- The last answer of a mail server.
  last_reason text,
  primary key (day, kind, outcome)
);

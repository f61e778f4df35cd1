import type { MigrationBuilder } from 'node-pg-migrate';

/**
 * What administrators need of conversations at every desk. Indexes are built concurrently, so that no send is held up,
 * and that cannot be done in a transaction; each step can be run again. No index holds what a send moves.
 */
export function up(pgm: MigrationBuilder): void {
  pgm.noTransaction();
  pgm.sql(TABLES);
  for (const { name, on } of INDEXES) {
    pgm.sql(`drop index concurrently if exists ${name}`);
    pgm.sql(`create index concurrently ${name} on ${on}`);
  }
}

export const down = false;

/** The references wait for a moment in which nobody writes to conversations; better to fail than to hold up sends. */
const TABLES = `
do $$
begin
  perform set_config('lock_timeout', '3s', true);

  -- Why a conversation is blocked, and until when. Apart from conversations: no send ever touches it. One that was
  -- blocked before this release has none.
  create table if not exists blocks (
    conversation_id uuid primary key references conversations (id) on delete cascade,
    -- Staff's own words, for staff alone; empty when none were given.
    reason text not null,
    until timestamptz
  );
  create index if not exists blocks_until on blocks (until) where until is not null;

  -- When an administrator last looked into a conversation of another's desk, or took it along: once an hour is told to
  -- the audit log, and this says whether it was. No foreign key to conversations: whoever waits for their line in the
  -- log would hold up sends. An erasure takes these rows away (src/db/erasure.ts).
  create table if not exists conversation_views (
    conversation_id uuid not null,
    staff_id uuid not null references staff (id),
    what text not null check (what in ('view', 'export')),
    at timestamptz not null default now(),
    -- After which number an export that is under way goes on; asking for that is no new one.
    next integer,
    primary key (conversation_id, staff_id, what)
  );
end $$;

-- The words of a name, under no desk's key. With a path of its own: an index is built and looked after without one.
create or replace function name_vector(p_text text) returns tsvector
language plpgsql immutable parallel safe set search_path from current as $$
begin
  return search_vector('', p_text);
end $$`;

const INDEXES = [
  {
    // What was closed, or blocked, at any desk, newest first.
    name: 'conversations_ended_anywhere',
    on: "conversations (status, (closed_at::timestamptz(3)) desc, id) where status <> 'open'",
  },
  {
    // By any word of the visitor's name.
    name: 'conversations_name',
    on: 'conversations using gin (name_vector(visitor_name))',
  },
  {
    name: 'invites_label_words',
    on: 'invites using gin (name_vector(label))',
  },
];

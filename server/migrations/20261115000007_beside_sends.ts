import type { MigrationBuilder } from 'node-pg-migrate';

/**
 * What reads all of `conversations`, and is in no transaction for that: an index built concurrently holds up no send, but
 * cannot be built inside one. SQL files always run in one, so this is code. Each step can be run again: one that failed
 * leaves an index behind that nothing uses.
 */
export function up(pgm: MigrationBuilder): void {
  pgm.noTransaction();
  for (const { name, on } of INDEXES) {
    pgm.sql(`drop index concurrently if exists ${name}`);
    pgm.sql(`create index concurrently ${name} on conversations ${on}`);
  }
  // Behind the indexes: they wait for every statement that began before, so none runs the old append_messages any more.
  pgm.sql(WAITING);
}

export const down = false;

const INDEXES = [
  {
    // What was closed or blocked, newest first. A send to an open conversation changes none of these columns. A page ends
    // at a millisecond and an id, and some times were written to the microsecond.
    name: 'conversations_ended',
    on: "(handler_alias, (closed_at::timestamptz(3)) desc, id) where status <> 'open'",
  },
  {
    // All conversations of a desk, whatever their status. A send changes none of it.
    name: 'conversations_desk',
    on: '(handler_alias)',
  },
];

/** Since when those wait who wrote last before anybody kept it: few at a time, and locked in the order of sends. */
const WAITING = `
do $$
declare
  v_last uuid := '00000000-0000-0000-0000-000000000000';
begin
  while v_last is not null loop
    with waiting as (
      select c.id from conversations c
      where c.id > v_last and c.waiting_since is null and not c.preview_from_owner
      order by c.id limit 500 for update
    ), moved as (
      update conversations c set waiting_since = c.last_message_at from waiting w where c.id = w.id
    )
    select max(w.id::text)::uuid into v_last from waiting w;
    commit;
  end loop;
end $$`;

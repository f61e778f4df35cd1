import type { MigrationBuilder } from 'node-pg-migrate';

/** Counts the invites that exist. Can be run again. */
export function up(pgm: MigrationBuilder): void {
  pgm.noTransaction();
  pgm.sql('drop index concurrently if exists invites_pending');
  // Invites that expire today are counted one by one.
  pgm.sql(`create index concurrently invites_pending on invites (expires_at) include (state, handler_alias)
    where state in ('NEW', 'SEEN')`);
  pgm.sql(COUNT);
}

export const down = false;

/**
 * One statement, so both parts see the same state: every change up to then is in the invites, and its rows are removed
 * here; every later change adds its rows. The lock keeps the job from merging rows meanwhile.
 */
const COUNT = `
do $$
begin
  perform pg_advisory_xact_lock(7365018);
  with merged as (delete from invite_counts)
  insert into invite_counts
  select handler_alias, state,
    case when state in ('NEW', 'SEEN') then (expires_at at time zone 'UTC')::date else 'infinity' end, count(*)
  from invites group by 1, 2, 3;
  commit;
end $$`;

import type { MigrationBuilder } from 'node-pg-migrate';

/** So that a search does not compare every conversation with its index. Each step can be run again. */
export function up(pgm: MigrationBuilder): void {
  pgm.noTransaction();
  pgm.sql(DUE);
  // The newest entries, for words that most entries have.
  pgm.sql('drop index concurrently if exists search_entries_newest');
  pgm.sql(
    'create index concurrently search_entries_newest on search_entries (created_at desc, conversation_id, seq desc)',
  );
  pgm.sql(MARK);
}

export const down = false;

/**
 * Ended conversations to index: written when one ends, or changes its desk, its name or its label afterwards. Open ones
 * are few and are compared. A row per change, not per conversation: the indexer removes only rows that it had read
 * before. No foreign key: it would wait for sends.
 */
const DUE = `
create table if not exists search_due (
  id bigint generated always as identity primary key,
  alias text not null,
  conversation_id uuid not null
);
create index if not exists search_due_desk on search_due (alias, id);
create index if not exists search_due_conversation on search_due (conversation_id)`;

/** Ended conversations that nobody has searched since they changed. */
const MARK = `
do $$
declare
  v_last uuid := '00000000-0000-0000-0000-000000000000';
begin
  while v_last is not null loop
    with step as materialized (
      select c.id, c.handler_alias, c.status, c.last_seq, c.visitor_name from conversations c
      where c.id > v_last order by c.id limit 1000
    ), marked as (
      insert into search_due (alias, conversation_id)
      select c.handler_alias, c.id from step c left join search_heads h on h.conversation_id = c.id
      where c.status <> 'open' and (h.conversation_id is null or h.seq < c.last_seq
        or h.alias is distinct from c.handler_alias or h.visitor_name is distinct from c.visitor_name)
    )
    select max(c.id::text)::uuid into v_last from step c;
    commit;
  end loop;
end $$`;

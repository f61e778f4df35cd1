import type { Patch } from '../patch.ts';

/**
 * A future release that follows the rules of docs/migrations.md: it first extends the schema, and then uses the extension.
 * Its number is later than that of every real migration.
 */
const EXPAND = `set local lock_timeout = '300ms';

alter table conversations add column next_calls integer default 0;

create table next_marks (message_id uuid primary key);

-- Beside the old one, which the previous release still calls.
create function append_messages(
  p_conversations uuid[], p_ids uuid[], p_from_owner boolean[], p_authors uuid[], p_aliases text[], p_texts text[],
  p_after integer[], p_media uuid[], p_look_up boolean, p_release text
)
returns table (
  item integer, outcome smallint, seq integer, created_ms double precision, unread integer, handler_alias text,
  rev integer, picture json
)
language plpgsql
as $$
begin
  return query select * from append_messages(
    p_conversations, p_ids, p_from_owner, p_authors, p_aliases, p_texts, p_after, p_media, p_look_up
  );
  update conversations c set next_calls = c.next_calls + 1 where c.id = any (p_conversations);
  insert into next_marks select unnest(p_ids) on conflict do nothing;
end $$;
`;

const INDEX = `export function up(pgm) {
  pgm.noTransaction();
  pgm.sql('drop index concurrently if exists conversations_next');
  pgm.sql('create index concurrently conversations_next on conversations (visitor_name)');
}
export const down = false;
`;

/** Holds a lock that sends need. The rules prevent this. */
export const LOCKS_LONG = `alter table conversations add column next_note text;
select pg_sleep(8);
`;

export const nextMigrations = {
  'server/migrations/20991231000001_expand.sql': EXPAND,
  'server/migrations/20991231000002_index.ts': INDEX,
};

export const nextPatches: Patch[] = [
  {
    file: 'server/src/messages/appendCall.store.ts',
    find: "({ name: 'append', text: $TEXT })",
    kind: 'object',
    put: `{ name: 'append', text: $TEXT.replace('$9)', "$9, 'next')") }`,
  },
];

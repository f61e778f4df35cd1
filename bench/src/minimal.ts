import type { BenchDatabase } from './stage.ts';

/**
 * The least that PostgreSQL must do for a numbered message: update one row, insert one row with the same two unique
 * indexes in as many partitions. The limits compare with this, not with our own function.
 */
export async function createMinimalTables(database: BenchDatabase): Promise<void> {
  await database.run(`
    create table minimal_heads (
      id uuid primary key, last_seq integer not null, last_message_at timestamptz not null
    ) with (fillfactor = 60);
    create table minimal_messages (
      conversation_id uuid not null, seq integer not null, id uuid not null, from_owner boolean not null,
      author_id uuid not null, created_at timestamptz not null, text text not null,
      primary key (conversation_id, seq), unique (conversation_id, id)
    ) partition by hash (conversation_id);
    do $$ begin
      for part in 0..31 loop
        execute format(
          'create table minimal_messages_%s partition of minimal_messages for values with (modulus 32, remainder %s)',
          part, part
        );
      end loop;
    end $$;
    insert into minimal_heads select conversation_id, 0, now() from bench_senders`);
  await database.run('vacuum analyze minimal_heads');
}

/** One message per commit. `:n` is a row of bench_single. */
export const MINIMAL_SINGLE = `
  with given as (
    select b.conversations[1] as conversation_id, b.authors[1] as author_id, b.texts[1] as text
    from bench_single b where b.n = :n
  ),
  moved as (
    update minimal_heads h set last_seq = h.last_seq + 1, last_message_at = clock_timestamp()
    from given g where h.id = g.conversation_id
    returning h.id, h.last_seq, h.last_message_at, g.author_id, g.text
  )
  insert into minimal_messages
  select m.id, m.last_seq, gen_random_uuid(), false, m.author_id, m.last_message_at, m.text from moved m
  returning seq, created_at;`;

/** All messages of a row of bench_batch in one commit. */
export const MINIMAL_BATCH = `
  with given as materialized (
    select i.*, row_number() over (partition by i.conversation_id order by i.item) as place
    from bench_batch b, unnest(b.conversations, b.authors, b.texts) with ordinality
      as i (conversation_id, author_id, text, item)
    where b.n = :n
  ),
  moved as (
    update minimal_heads h set last_seq = h.last_seq + g.count, last_message_at = clock_timestamp()
    from (select g.conversation_id, count(*) from given g group by g.conversation_id) g
    where h.id = g.conversation_id
    returning h.id, h.last_seq - g.count as before, h.last_message_at
  )
  insert into minimal_messages
  select m.id, m.before + g.place, gen_random_uuid(), false, g.author_id, m.last_message_at, g.text
  from moved m join given g on g.conversation_id = m.id
  returning seq, created_at;`;

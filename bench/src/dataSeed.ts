import pg from 'pg';
import { phrases, RARE_EVERY } from './dataWords.ts';
import { seedDesks } from './people.ts';
import type { BenchDatabase } from './stage.ts';

/** How much an installation has stored. The number of open conversations depends on its traffic, not on its age. */
export type DataSize = { desks: number; openAtLargest: number; openAtOthers: number; conversations: number };

export const LARGEST_DESK = 'desk-0';
export const MESSAGES_EACH = 17;
const DAYS = 90;
/** One in six ended conversations is at the largest desk. */
const LARGEST_SHARE = 6;
const CONNECTIONS = 2;
/** Conversations per statement. */
const SLICE = 1_000;

/** The desks and the open conversations. */
export async function seedOpen(
  database: BenchDatabase,
  { desks, openAtLargest, openAtOthers }: DataSize,
): Promise<void> {
  const aliases = await seedDesks(database, desks);
  const others = aliases.filter((alias) => alias !== LARGEST_DESK);
  const owners = [
    ...Array<string>(openAtLargest).fill(LARGEST_DESK),
    ...others.flatMap((alias) => Array<string>(openAtOthers).fill(alias)),
  ];
  await seed(database, owners, true);
}

/** Adds ended conversations, until there are this many conversations in total. */
export async function seedEnded(database: BenchDatabase, { desks, conversations }: DataSize): Promise<void> {
  const [stored] = await database.run<{ n: number }>('select count(*)::integer as n from conversations');
  const owners = Array.from({ length: conversations - (stored?.n ?? 0) }, (_, n) =>
    n % LARGEST_SHARE === 0 ? LARGEST_DESK : `desk-${1 + (n % (desks - 1))}`,
  );
  await seed(database, owners, false);
}

/** Writes conversations, their messages and their search entries, without the append function and the indexer. */
async function seed(database: BenchDatabase, owners: readonly string[], open: boolean): Promise<void> {
  // Building the index once is much faster than adding millions of entries.
  const [index] = await database.run<{ definition: string }>(
    `select indexdef as definition from pg_indexes where indexname = 'search_entries_words'`,
  );
  await database.run('drop index search_entries_words');
  const slices = Array.from({ length: Math.ceil(owners.length / SLICE) }, (_, n) => n * SLICE).values();
  const texts = phrases();
  const fill = async (): Promise<void> => {
    const client = new pg.Client(database.ownerUrl);
    await client.connect();
    // A crash would lose data, but every run creates its data again.
    await client.query('set synchronous_commit = off');
    // Both connections take slices from the same iterator.
    for (const at of slices) {
      const { rows } = await client.query<{ id: string }>(CONVERSATIONS, [
        owners.slice(at, at + SLICE),
        at,
        owners.length,
        open,
      ]);
      const ids = rows.map(({ id }) => id);
      await client.query(MESSAGES, [ids, texts]);
      await client.query(ENTRIES, [ids]);
      await client.query(HEADS, [ids]);
    }
    await client.end();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, fill));
  await build(database, index?.definition ?? '');
  // Otherwise autovacuum would run during the measurement.
  await database.run('vacuum (analyze)');
  await database.run('checkpoint').catch(() => {});
}

async function build(database: BenchDatabase, definition: string): Promise<void> {
  const client = new pg.Client(database.ownerUrl);
  await client.connect();
  await client.query(`set maintenance_work_mem = '1GB'`);
  await client.query(definition);
  await client.end();
}

/** Ended ones are distributed evenly over the days. Open ones began in the last five days. */
const CONVERSATIONS = `
with fresh as (
  select gen_random_uuid() as id, gen_random_uuid() as invite_id, gen_random_uuid() as visitor_id, alias, $2 + n as n,
    case when $4 then now() - interval '5 days' * (abs(hashint8($2 + n)) % 1000) / 1000
      else now() - interval '1 hour' - interval '${DAYS} days' * ($3 - $2 - n)::float8 / $3 end as last_at
  from unnest($1::text[]) with ordinality as given (alias, n)
), invited as (
  insert into invites (id, token_hash, label, handler_alias, state, created_at, expires_at, seen_at, bound_at)
  select invite_id, sha256(invite_id::text::bytea), 'Campaign ' || n % 500, alias, 'BOUND', last_at - interval '2 hours',
    last_at + interval '30 days', last_at - interval '2 hours', last_at - interval '2 hours' from fresh
)
insert into conversations (id, invite_id, handler_alias, visitor_id, visitor_name, status, created_at, closed_at,
  last_message_at, last_seq, preview, preview_from_owner, first_asked_at, first_replied_at)
select id, invite_id, alias, visitor_id, 'Ada Visitor' || n, case when $4 then 'open' else 'closed' end,
  last_at - interval '1 hour', case when not $4 then date_trunc('milliseconds', last_at) + interval '1 minute' end,
  last_at, ${MESSAGES_EACH}, 'A word to end with', n % 5 > 0, last_at - interval '1 hour', last_at - interval '50 minutes'
from fresh order by n returning id`;

/** A phrase from the list, and sometimes a word that no other conversation has. */
const MESSAGES = `
insert into messages (conversation_id, seq, id, from_owner, author_id, created_at, text)
select c.id, s.seq, gen_random_uuid(), s.seq % 2 = 0, c.visitor_id,
  c.last_message_at - make_interval(secs => 3600.0 * (c.last_seq - s.seq) / c.last_seq),
  ($2::text[])[1 + abs(hashtext(c.id::text || s.seq)) % cardinality($2::text[])]
    || case when s.seq % ${RARE_EVERY} = 0 then ' ref' || left(c.id::text, 8) else '' end
from conversations c cross join lateral generate_series(1, c.last_seq) as s (seq)
where c.id = any ($1)`;

const ENTRIES = `
insert into search_entries (conversation_id, seq, created_at, words)
select m.conversation_id, m.seq, m.created_at, search_vector(search_key(c.handler_alias, 'message'), m.text)
from conversations c join messages m on m.conversation_id = c.id where c.id = any ($1)
union all
select c.id, 0, c.created_at, search_vector(search_key(c.handler_alias, 'name'), i.label || ' ' || c.visitor_name)
from conversations c join invites i on i.id = c.invite_id where c.id = any ($1)`;

const HEADS = `
insert into search_heads (conversation_id, seq, alias, visitor_name)
select id, last_seq, handler_alias, visitor_name from conversations where id = any ($1)`;

import pg from 'pg';
import { type Claimed, seedConversations } from './people.ts';
import type { BenchDatabase } from './stage.ts';

const CONNECTIONS = 2;
/** Conversations per statement. */
const SLICE = 200;

/** Stores this many messages in each new conversation, without the append function. */
export async function store(
  database: BenchDatabase,
  desks: readonly string[],
  counts: readonly number[],
): Promise<Claimed[]> {
  const claimed = await seedConversations(database, desks, counts);
  const slices = Array.from({ length: Math.ceil(claimed.length / SLICE) }, (_, index) =>
    claimed.slice(index * SLICE, (index + 1) * SLICE),
  ).values();
  const fill = async (): Promise<void> => {
    const client = new pg.Client(database.url);
    await client.connect();
    // A crash would lose data, but every run creates its data again.
    await client.query('set synchronous_commit = off');
    // Both connections take slices from the same iterator.
    for (const slice of slices) await client.query(FILL, [slice.map(({ conversationId }) => conversationId)]);
    await client.end();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, fill));
  // Otherwise autovacuum would run during the measurement.
  await database.run('vacuum (analyze) messages');
  await database.run('vacuum (analyze) conversations, devices, invites');
  await database.run('checkpoint').catch(() => {});
  return claimed;
}

const FILL = `
insert into messages (conversation_id, seq, id, from_owner, author_id, created_at, text)
select c.id, s.seq, gen_random_uuid(), s.seq % 2 = 0, c.visitor_id,
  now() - make_interval(secs => c.last_seq - s.seq),
  'Message ' || s.seq || repeat(' and so on', 1 + s.seq % 9)
from conversations c cross join lateral generate_series(1, c.last_seq) as s (seq)
where c.id = any ($1)`;

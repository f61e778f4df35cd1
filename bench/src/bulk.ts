// Writes much data directly into the database, without the append function. The triggers of the migrations count it.
import pg from 'pg';
import { type Claimed, seedConversations } from './people.ts';
import type { BenchDatabase } from './stage.ts';

/** Different words. */
const VOCABULARY = 20_000;
const CONNECTIONS = 2;
/** Conversations per statement. */
const SLICE = 500;

/** Works on slices of the items, on two connections. */
export async function inSlices<T>(
  database: BenchDatabase,
  items: readonly T[],
  size: number,
  write: (client: pg.Client, slice: T[], at: number) => Promise<unknown>,
): Promise<void> {
  const starts = Array.from({ length: Math.ceil(items.length / size) }, (_, index) => index * size).values();
  const work = async (): Promise<void> => {
    const client = new pg.Client(database.ownerUrl);
    await client.connect();
    // A crash would lose data, but every run creates its data again.
    await client.query('set synchronous_commit = off');
    // Both connections take starts from the same iterator.
    for (const at of starts) await write(client, items.slice(at, at + size), at);
    await client.end();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
}

/** Does what autovacuum and the checkpointer would otherwise do during the measurement. */
export async function settle(database: BenchDatabase, ...vacuums: string[]): Promise<void> {
  for (const vacuum of vacuums) await database.run(`vacuum ${vacuum}`);
  // Needs more rights than some environments give.
  await database.run('checkpoint').catch(() => {});
}

/** Fills the conversations `$1` up to their `last_seq`. Both arguments are SQL expressions. */
export function insertMessages(text: string, createdAt: string): string {
  return `
insert into messages (conversation_id, seq, id, from_owner, author_id, created_at, text)
select c.id, s.seq, gen_random_uuid(), s.seq % 2 = 0, c.visitor_id, ${createdAt}, ${text}
from conversations c cross join lateral generate_series(1, c.last_seq) as s (seq)
where c.id = any ($1)`;
}

export const PLAIN_TEXT = `'Message ' || s.seq || repeat(' and so on', 1 + s.seq % 9)`;

/** Stores this many messages in each new conversation, one a second until now. */
export async function store(
  database: BenchDatabase,
  desks: readonly string[],
  counts: readonly number[],
  text = PLAIN_TEXT,
): Promise<Claimed[]> {
  const claimed = await seedConversations(database, desks, counts);
  const ids = claimed.map(({ conversationId }) => conversationId);
  const insert = insertMessages(text, 'now() - make_interval(secs => c.last_seq - s.seq)');
  await inSlices(database, ids, SLICE, (client, slice) => client.query(insert, [slice]));
  await settle(database, '(analyze) messages', '(analyze) conversations, devices, invites');
  return claimed;
}

/** The same words for the same seed. Some words are far more frequent than others, as in real texts. */
export function words(seed: number, least: number, more: number): string[] {
  let state = seed;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  // Neighbouring seeds begin with similar numbers.
  random();
  return Array.from({ length: least + Math.floor(random() * more) }, () =>
    Math.floor(VOCABULARY ** random())
      .toString(26)
      .padStart(3, 'e')
      .replaceAll(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? ''),
  );
}

import type pg from 'pg';

/** Random, so that nothing compresses it: with less than half of a page free it needs a new one. */
const FILL = `insert into write_probe (filler)
  select decode(string_agg(md5(random()::text), ''), 'hex') from generate_series(1, 400)`;

/** Succeeds only where PostgreSQL can store more than it has now. Leaves nothing behind. */
export async function probeWrites(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  await client.query('begin');
  try {
    await client.query(FILL);
  } finally {
    await client.query('rollback');
  }
}

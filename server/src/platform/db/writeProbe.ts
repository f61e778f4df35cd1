import type pg from 'pg';

/** Random, so that it cannot be compressed: it needs more than the free space of a page. */
const FILL = `insert into write_probe (filler)
  select decode(string_agg(md5(random()::text), ''), 'hex') from generate_series(1, 400)`;

/** Fails if PostgreSQL cannot store more data. Rolled back. */
export async function probeWrites(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  await client.query('begin');
  try {
    await client.query(FILL);
  } finally {
    await client.query('rollback');
  }
}

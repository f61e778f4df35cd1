import type pg from 'pg';

/** The migrations that were run, in their order; undefined where there are none of our tables. */
export async function readLevel(client: pg.Client): Promise<string[] | undefined> {
  const { rows: table } = await client.query<{ there: boolean }>(
    "select to_regclass('migrations') is not null as there",
  );
  if (table[0]?.there !== true) return undefined;
  const { rows } = await client.query<{ name: string }>('select name::text from migrations order by id');
  return rows.map(({ name }) => name);
}

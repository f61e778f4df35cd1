import { withClient } from '../platform/db/withClient.ts';

const ADDRESSES_MAX = 10_000;

/**
 * The address a gateway saw for a failed sign-in, found by its rate-limit key, which is made of account and address.
 * Removes what was counted.
 */
export function takeSeenAddress(
  databaseUrl: string,
  keyOf: (address: string) => string,
): Promise<string | undefined> {
  return withClient({ connectionString: databaseUrl, query_timeout: 10_000 }, async (client) => {
    const { rows } = await client.query<{ address: string }>(
      `select substr(key, length('address:') + 1) as address from rate_limits where key like 'address:%'
       order by expire desc limit $1`,
      [ADDRESSES_MAX],
    );
    const keys = new Map(rows.map(({ address }) => [`account:${keyOf(address)}`, address]));
    const { rows: counted } = await client.query<{ key: string }>(
      'delete from rate_limits where key = any($1) returning key',
      [[...keys.keys()]],
    );
    const seen = keys.get(counted[0]?.key ?? '');
    await client.query('update rate_limits set points = points - 1 where key = $1 and points > 0', [
      `address:${seen}`,
    ]);
    return seen;
  });
}

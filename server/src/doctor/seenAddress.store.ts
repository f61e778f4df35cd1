import { column, run, value } from '../platform/db/query.ts';
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
    const addresses = await column<string>(client)`
      select substr(key, length('address:') + 1) from rate_limits where key like 'address:%'
      order by expire desc limit ${ADDRESSES_MAX}`;
    const keys = new Map(addresses.map((address) => [`account:${keyOf(address)}`, address]));
    const counted = await value<string>(client)`
      delete from rate_limits where key = any (${[...keys.keys()]}) returning key`;
    const seen = keys.get(counted ?? '');
    await run(
      client,
    )`update rate_limits set points = points - 1 where key = ${`address:${seen}`} and points > 0`;
    return seen;
  });
}

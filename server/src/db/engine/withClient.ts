import pg from 'pg';

/**
 * Does some work over a connection of its own, and closes it. A connection that breaks fails the query under way, so its
 * own event says nothing new.
 */
export async function withClient<T>(
  options: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(options);
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

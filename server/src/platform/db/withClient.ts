import type pg from 'pg';
import { confirmed } from './confirmed.ts';
import { PrimaryClient } from './primaryClient.ts';

/** Opens a connection for some work and closes it. The query reports a broken connection, so its event is ignored. */
export async function withClient<T>(
  options: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new PrimaryClient(options);
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Commits everything that `work` does, or nothing if it throws. */
export async function inTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const result = await work();
    await confirmed(client, () => client.query('commit'));
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

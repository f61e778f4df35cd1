import pg from 'pg';

/**
 * A transaction on a connection of its own. PostgreSQL ends a gateway's transaction that is idle for five seconds, and a
 * busy machine may need longer for what a test does meanwhile.
 */
export async function openTransaction({ databaseUrl }: { databaseUrl: string }) {
  const client = new pg.Client(databaseUrl);
  // After a failure the database is dropped, and the connection with it.
  client.on('error', () => {});
  await client.connect();
  await client.query('begin');
  const finish = async (statement: string): Promise<void> => {
    await client.query(statement);
    await client.end();
  };
  return {
    query: client.query.bind(client) as pg.Client['query'],
    commit: () => finish('commit'),
    rollback: () => finish('rollback'),
  };
}

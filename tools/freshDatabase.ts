import { randomBytes } from 'node:crypto';
import pg from 'pg';

export type FreshDatabase = { url: string; drop(): Promise<void> };

/** Creates a database on a shared server. */
export async function createFreshDatabase(
  serverUrl: string,
  options: { prefix: string; template?: string },
): Promise<FreshDatabase> {
  const name = `${options.prefix}_${randomBytes(6).toString('hex')}`;
  const run = async (statement: string): Promise<void> => {
    const client = new pg.Client(serverUrl);
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  await run(
    `create database ${name}${options.template === undefined ? '' : ` template ${options.template}`}`,
  );
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(`drop database if exists ${name} with (force)`) };
}

import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** Gateways connect with `url`, as the application role. `ownerUrl` is for migrations, and for tests that alter tables. */
export type FreshDatabase = { url: string; ownerUrl: string; drop(): Promise<void> };

/** The application role of every database on a shared server. `migrate` creates it. */
export const APPLICATION_ROLE = 'settee_app';

/** The URL of the same database with the application role, which has the same password. */
export function applicationUrl(ownerUrl: string): string {
  const url = new URL(ownerUrl);
  url.username = APPLICATION_ROLE;
  return url.href;
}

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
  // The default strategy writes every page to the write-ahead log, which takes four times as long.
  const copied = options.template === undefined ? '' : ` template ${options.template} strategy file_copy`;
  await run(`create database ${name}${copied}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: applicationUrl(url.href),
    ownerUrl: url.href,
    drop: () => run(`drop database if exists ${name} with (force)`),
  };
}

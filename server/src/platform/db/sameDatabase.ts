import { micros } from './query.ts';
import { ownerUrl, type RoleUrls } from './roles.ts';
import { withClient } from './withClient.ts';

/** The same for all roles and addresses of a database, and different for all others. */
const IDENTITY = `select ${micros('pg_postmaster_start_time()').text} || ' ' || oid as identity
  from pg_database where datname = current_database()`;

/** Before the first migration, the role of DATABASE_URL may not exist. Then only the URLs can be compared. */
export async function refuseDifferentDatabases(urls: RoleUrls): Promise<void> {
  const owned = await identify(ownerUrl(urls));
  const used = await identify(urls.databaseUrl).catch(() => (haveDifferentNames(urls) ? undefined : owned));
  if (used !== owned)
    throw new Error(
      'DATABASE_URL and DATABASE_OWNER_URL name different databases. Nothing was changed. Correct one of them.',
    );
}

/** On other hosts, the names say nothing: one may be a pooler. */
function haveDifferentNames(urls: RoleUrls): boolean {
  const [owner, used] = [new URL(ownerUrl(urls)), new URL(urls.databaseUrl)];
  return owner.host === used.host && owner.pathname !== used.pathname;
}

function identify(connectionString: string): Promise<string> {
  return withClient({ connectionString, connectionTimeoutMillis: 10_000 }, async (client) => {
    const { rows } = await client.query<{ identity: string }>(IDENTITY);
    return rows[0]?.identity ?? '';
  });
}

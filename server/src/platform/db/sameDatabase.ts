import { micros, sql, value } from './query.ts';
import { ownerUrl, type RoleUrls } from './roles.ts';
import { withClient } from './withClient.ts';

/** The same for all roles and addresses of a database, and different for all others. */
const IDENTITY = sql`select ${micros('pg_postmaster_start_time()')} || ' ' || oid
  from pg_database where datname = current_database()`;

/** No such role, wrong password, no right to connect, or no such database. An older PgBouncer has one code for all. */
const NOT_LET_IN = new Set(['28000', '28P01', '42501', '3D000', '08P01']);

/** Before the first migration, the role of DATABASE_URL may not exist. Then only the URLs can be compared. */
export async function requireSameDatabase(urls: RoleUrls): Promise<void> {
  const owned = await identify(ownerUrl(urls));
  const used = await identify(urls.databaseUrl).catch((error: { code?: string }) => {
    if (!NOT_LET_IN.has(error.code ?? '')) throw error;
    return mayBeSame(urls) ? owned : undefined;
  });
  if (used !== owned)
    throw new Error(
      'DATABASE_URL and DATABASE_OWNER_URL name different databases. Nothing was changed. Correct one of them.',
    );
}

/** By their names. On different hosts they say nothing: one may be a pooler. */
function mayBeSame(urls: RoleUrls): boolean {
  const [owner, used] = [new URL(ownerUrl(urls)), new URL(urls.databaseUrl)];
  return owner.host !== used.host || owner.pathname === used.pathname;
}

function identify(connectionString: string): Promise<string | undefined> {
  return withClient(
    { connectionString, connectionTimeoutMillis: 10_000 },
    (client) => value<string>(client)`${IDENTITY}`,
  );
}

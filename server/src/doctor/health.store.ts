import type pg from 'pg';
import { RESTORE_UNFINISHED } from '../backup/restoreMarker.store.ts';
import { readAppliedMigrations, readMissingFunctions, shippedMigrations } from '../platform/db/migrations.ts';
import { first, one, raw } from '../platform/db/query.ts';
import { withClient } from '../platform/db/withClient.ts';
import { WORKERS_ALIVE } from '../platform/db/workers.ts';
import { probeWrites } from '../platform/db/writeProbe.ts';

export type DatabaseHealth = {
  version: number;
  versionText: string;
  encoding: string;
  fsync: string;
  fullPageWrites: string;
  maxConnections: number;
  usedConnections: number;
  /** Database time minus local time, in milliseconds. */
  clockAhead: number;
  /** Applied migrations; undefined without our tables. */
  level: string[] | undefined;
  missingFunctions: number;
  administrators: number;
  /** Administrators with a second factor. */
  guarded: number;
  publicName: string | undefined;
  gateways: number;
  workers: number;
  /** Undefined without our tables. */
  installation: { id: string; secretFingerprint: Buffer | null; backupAt: Date | null } | undefined;
  /** The error code of a test write that was rolled back; undefined if it worked. */
  writeFailure: string | undefined;
  halfRestored: boolean;
  user: string;
  /** Whether this role may change the audit log. */
  canChangeAudit: boolean;
};

const ITSELF = `
  select current_setting('server_version_num')::integer as version, current_setting('server_version') as "versionText",
    current_setting('server_encoding') as encoding, current_setting('fsync') as fsync,
    current_setting('full_page_writes') as "fullPageWrites",
    current_setting('max_connections')::integer
      - current_setting('superuser_reserved_connections')::integer as "maxConnections",
    (select count(*)::integer from pg_stat_activity where datid is not null and usesysid is not null and pid <> pg_backend_pid())
      as "usedConnections",
    ${RESTORE_UNFINISHED} as "halfRestored",
    current_user::text as user,
    coalesce(has_table_privilege(to_regclass('audit'), 'update, delete, truncate, trigger'), false)
      as "canChangeAudit"`;

const PEOPLE = `
  select count(*)::integer as administrators,
    count(*) filter (where exists (select from staff_totp t where t.staff_id = s.id)
      or exists (select from staff_passkeys p where p.staff_id = s.id))::integer as guarded,
    (select display_name from profiles where slug = 'main') as "publicName",
    (select count(*)::integer from gateways where expires_at > now()) as gateways,
    ${WORKERS_ALIVE} as workers
  from staff s where s.role = 'admin' and s.active`;

const NO_TABLES = {
  missingFunctions: 0,
  administrators: 0,
  guarded: 0,
  publicName: undefined,
  gateways: 0,
  workers: 0,
  installation: undefined,
  writeFailure: undefined,
};

export function readHealth(databaseUrl: string): Promise<DatabaseHealth> {
  const options = {
    connectionString: databaseUrl,
    application_name: 'settee doctor',
    connectionTimeoutMillis: 10_000,
    query_timeout: 10_000,
  };
  return withClient(options, healthOf);
}

async function healthOf(client: pg.Client): Promise<DatabaseHealth> {
  const itself = await one<DatabaseHealth>(client)`${raw(ITSELF)}`;
  const before = Date.now();
  const { now } = await one<{ now: Date }>(client)`select clock_timestamp() as now`;
  const clockAhead = aheadOf(now.getTime(), { before, after: Date.now() });
  const level = await readAppliedMigrations(client);
  // An older schema may lack these columns.
  if (level === undefined || level.length < shippedMigrations.length)
    return { ...itself, clockAhead, level, ...NO_TABLES };
  const { length: missingFunctions } = await readMissingFunctions(client);
  const people = await one<DatabaseHealth>(client)`${raw(PEOPLE)}`;
  const installation = await first<NonNullable<DatabaseHealth['installation']>>(client)`
    select id, secret_check as "secretFingerprint", backup_at as "backupAt" from installation`;
  const writeFailure = await probeWrites(client).then(
    () => undefined,
    (error: { code?: string }) => error.code ?? 'unknown',
  );
  return { ...itself, ...people, clockAhead, level, missingFunctions, installation, writeFailure };
}

/** Milliseconds by which a clock that was read between two moments is certainly ahead; negative if it is behind. */
export function aheadOf(read: number, { before, after }: { before: number; after: number }): number {
  if (read > after) return read - after;
  return Math.min(0, read - before);
}

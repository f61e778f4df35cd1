import { jobConnections } from '../jobs/jobs.ts';
import { COMMAND, type Config } from '../platform/config/config.ts';
import { RESERVED } from '../platform/db/database.ts';
import { explainUnreachable } from '../platform/db/databaseErrors.ts';
import { shippedMigrations } from '../platform/db/migrations.ts';
import { PRIVATE_CONNECTIONS } from '../private/privatePort.ts';
import { secretFingerprint } from '../reconcileSecret.ts';
import { type About, countOf, reason } from './finding.ts';
import { type DatabaseHealth, readHealth } from './health.store.ts';

const VERSION_MIN = 15;
const CLOCK_WARNING_MS = 2_000;
/** Validity of an authenticator code. */
const CLOCK_FAILURE_MS = 30_000;

/** Undefined when the database could not be read. */
export async function checkDatabase(about: About, config: Config): Promise<DatabaseHealth | undefined> {
  const { host } = new URL(config.databaseUrl);
  try {
    const health = await readHealth(config.databaseUrl);
    checkServer(about, health, host);
    checkConnections(about, health, config);
    checkClock(about, health);
    checkWrites(about, health);
    checkRole(about.on('database role'), health);
    checkRestore(about.on('restore'), health);
    checkLevel(about.on('migrations'), health);
    checkStoredSecret(about.on('SECRET'), health, config);
    checkWorkers(about.on('jobs'), health);
    checkAdministrators(about.on('administrator'), health, config);
    return health;
  } catch (error) {
    about.fail(...explain(reason(error), host));
    return undefined;
  }
}

function explain(code: string, host: string): [string, string] {
  const unreachable = explainUnreachable(code, host);
  if (unreachable !== undefined) return unreachable;
  return [
    `${host} does not answer (${code})`,
    'Check that PostgreSQL is running, that host and port in DATABASE_URL are correct, and that no firewall blocks them.',
  ];
}

function checkServer(about: About, health: DatabaseHealth, host: string): void {
  const { versionText, encoding } = health;
  if (Math.floor(health.version / 10_000) >= VERSION_MIN) about.ok(`PostgreSQL ${versionText} at ${host}`);
  else about.fail(`PostgreSQL ${versionText} is too old`, `Upgrade it to ${VERSION_MIN} or newer.`);
  if (encoding !== 'UTF8')
    about.fail(`its encoding is ${encoding}`, 'Create a database with encoding UTF8 and use it.');
  for (const [name, value] of [
    ['fsync', health.fsync],
    ['full_page_writes', health.fullPageWrites],
  ]) {
    if (value !== 'on')
      about.fail(
        `${name} is ${value}: a power failure can lose acknowledged messages, or all data`,
        `Set ${name} = on in postgresql.conf.`,
      );
  }
}

function checkConnections(about: About, health: DatabaseHealth, config: Config): void {
  const { maxConnections, usedConnections, gateways } = health;
  const jobs = config.runJobs ? jobConnections(config) : 0;
  const asked = config.privatePort === undefined ? 0 : PRIVATE_CONNECTIONS;
  const each = config.databaseConnections + RESERVED.connections + config.appendLanes + jobs + asked;
  const count = Math.max(config.gateways, gateways);
  const wanted = each * count;
  if (wanted > maxConnections)
    about.fail(
      `${countOf(count, 'gateway')} of this kind may open ${wanted} connections; PostgreSQL gives ${maxConnections}`,
      'Raise max_connections, or lower DATABASE_CONNECTIONS.',
    );
  else if (gateways === 0 && wanted + usedConnections > maxConnections)
    about.warn(
      `${countOf(count, 'gateway')} may open ${wanted} connections, and ${usedConnections} of ${maxConnections} are in use`,
      'Raise max_connections, or lower DATABASE_CONNECTIONS here or elsewhere.',
    );
  else
    about.ok(`${usedConnections} of ${maxConnections} connections are in use; a gateway opens up to ${each}`);
}

function checkClock(about: About, { clockAhead }: DatabaseHealth): void {
  const off = Math.abs(clockAhead);
  const says = `its clock is ${(off / 1_000).toFixed(1)} s ${clockAhead > 0 ? 'ahead of' : 'behind'} ours`;
  const remedy = 'Synchronize both machines with NTP.';
  if (off < CLOCK_WARNING_MS) about.ok('clock in sync');
  else if (off < CLOCK_FAILURE_MS) about.warn(says, remedy);
  else about.fail(`${says}: codes from authenticator apps may fail`, remedy);
}

function checkRole(about: About, { user, canChangeAudit, level }: DatabaseHealth): void {
  if (level === undefined) return;
  if (canChangeAudit)
    about.warn(
      `${user} can change the audit log`,
      `Set DATABASE_OWNER_URL to the current DATABASE_URL, name a new role in DATABASE_URL, and run ${COMMAND} migrate. See docs/configuration.md.`,
    );
  else about.ok(`${user} cannot change the audit log`);
}

/** Reports nothing if all is well: most databases were never restored. */
function checkRestore(about: About, { halfRestored }: DatabaseHealth): void {
  if (halfRestored)
    about.fail(
      'not finished: conversations erased after the backup are still here',
      `Before any gateway starts, run ${COMMAND} restore erase --erased FILE, with the ids of the erased conversations, or an empty file.`,
    );
}

function checkLevel(about: About, { level, missingFunctions }: DatabaseHealth): void {
  const known = shippedMigrations;
  const pending = known.filter((name) => level?.includes(name) !== true).length + missingFunctions;
  const unknown = (level ?? []).filter((name) => !known.includes(name));
  if (unknown.length > 0)
    about.warn(
      `the database has applied ${countOf(unknown.length, 'migration')} that this release does not know`,
      'A newer release ran here. Use that release, unless an upgrade is in progress.',
    );
  if (pending > 0) about.fail(`${countOf(pending, 'migration')} must be run`, `Run ${COMMAND} migrate.`);
  else about.ok('all were run');
}

function checkWrites(about: About, { writeFailure }: DatabaseHealth): void {
  if (writeFailure === undefined) return;
  const unknown: [string, string] = [`it cannot store anything (${writeFailure})`, 'Check its log.'];
  about.fail(...(WRITE_FAILURES[writeFailure] ?? unknown));
}

const WRITE_FAILURES: Record<string, [string, string]> = {
  '53100': [
    'its disk is full: no message can be stored',
    'Free space on the disk that holds its data directory, or make it larger. Never delete files in pg_wal.',
  ],
  '25006': [
    'it is read-only: no message can be stored',
    'Set DATABASE_URL to the primary, not a standby, and check that default_transaction_read_only is off.',
  ],
  '42501': [
    'this user may not write',
    'Run settee migrate with DATABASE_OWNER_URL: it grants the user of DATABASE_URL what it needs.',
  ],
};

/** Reports nothing until a gateway has started once. */
function checkStoredSecret(
  about: About,
  { installation }: DatabaseHealth,
  { secret, secretPrevious }: Config,
): void {
  const mark = installation?.secretFingerprint;
  if (installation === undefined || !mark) return;
  const isOf = (given: string) => secretFingerprint(given, installation.id).equals(mark);
  if (isOf(secret)) about.ok('matches this database');
  else if (secretPrevious !== undefined && isOf(secretPrevious))
    about.ok('replaces SECRET_PREVIOUS when a gateway starts with both');
  else
    about.fail(
      'does not match this database: visitors are signed out, and authenticator apps and recovery codes do not work',
      `Restore the old SECRET, or set it as SECRET_PREVIOUS to change it. If it is lost, run ${COMMAND} secret accept.`,
    );
}

function checkWorkers(about: About, { gateways, workers }: DatabaseHealth): void {
  if (workers > 0) about.ok(`${countOf(workers, 'process')} ${workers === 1 ? 'processes' : 'process'} jobs`);
  else if (gateways > 0)
    about.fail(
      'not being processed: images are not converted, notifications are not sent, nothing is cleaned up',
      'Start a worker (node server/src/jobs/worker.ts), or start a gateway with RUN_JOBS=true.',
    );
}

function checkAdministrators(
  about: About,
  { administrators, guarded, level }: DatabaseHealth,
  { secondFactor }: Config,
): void {
  if (level === undefined) return;
  if (administrators === 0)
    about.fail(
      'there is none',
      `Run ${COMMAND} setup code and open /admin/setup, or ${COMMAND} admin create.`,
    );
  else if (guarded === 0 && secondFactor !== 'optional')
    about.warn(
      'none has a second factor yet; seven days after the first sign-in the admin area is closed without one',
      'Sign in at /admin and set up an authenticator app or a passkey.',
    );
  else about.ok(`${guarded} of ${administrators} have a second factor`);
}

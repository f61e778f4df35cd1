import type { Config } from '../config.ts';
import { type DatabaseHealth, readHealth } from '../db/health.ts';
import { shippedMigrations } from '../db/shippedMigrations.ts';
import { jobConnections } from '../jobs/jobs.ts';
import { PRIVATE_CONNECTIONS } from '../private/privatePort.ts';
import { About, type Finding, reason } from './finding.ts';

const VERSION_MIN = 15;
const CLOCK_WARNING_MS = 2_000;
/** A code of an authenticator app is good for so long. */
const CLOCK_FAILURE_MS = 30_000;

export async function checkDatabase(config: Config): Promise<{ health?: DatabaseHealth; found: Finding[] }> {
  const about = new About('database');
  const { host } = new URL(config.databaseUrl);
  try {
    const health = await readHealth(config.databaseUrl, shippedMigrations.length);
    checkServer(about, health, host);
    checkConnections(about, health, config);
    checkClock(about, health);
    return {
      health,
      found: [...about.found, ...checkRestore(health), ...checkLevel(health), ...checkAdministrators(health)],
    };
  } catch (error) {
    const [says, remedy] = explain(reason(error), host);
    about.fail(says, remedy);
    return { found: about.found };
  }
}

function explain(code: string, host: string): [string, string] {
  if (code === '28P01' || code === '28000')
    return [`${host} refuses the user or the password`, 'Put the right ones into DATABASE_URL.'];
  if (code === '3D000')
    return [`${host} has no such database`, 'Make it (create database …), or name another in DATABASE_URL.'];
  if (code === '42501')
    return [`${host} does not let this user read our tables`, 'Use the user that ran the migrations.'];
  return [
    `${host} does not answer (${code})`,
    'See that PostgreSQL runs, that host and port in DATABASE_URL are right, and that no firewall is between.',
  ];
}

function checkServer(about: About, health: DatabaseHealth, host: string): void {
  const { versionText, encoding } = health;
  if (Math.floor(health.version / 10_000) >= VERSION_MIN) about.ok(`PostgreSQL ${versionText} at ${host}`);
  else about.fail(`PostgreSQL ${versionText} is too old`, `Upgrade it to ${VERSION_MIN} or newer.`);
  if (encoding !== 'UTF8')
    about.fail(`its encoding is ${encoding}`, 'Make a database with encoding UTF8 and use that.');
  for (const [name, value] of [
    ['fsync', health.fsync],
    ['full_page_writes', health.fullPageWrites],
  ]) {
    if (value !== 'on')
      about.fail(
        `${name} is ${value}: a power failure can lose messages that were acknowledged, or all of them`,
        `Set ${name} = on in postgresql.conf.`,
      );
  }
  if (health.synchronousCommit === 'off')
    about.fail(
      'synchronous_commit is off: a crash loses messages that were acknowledged',
      'Set synchronous_commit = on, for the server and for this role and database.',
    );
}

function checkConnections(about: About, health: DatabaseHealth, config: Config): void {
  const { maxConnections, usedConnections, gateways } = health;
  const jobs = config.runJobs ? jobConnections(config) : 0;
  const asked = config.privatePort === undefined ? 0 : PRIVATE_CONNECTIONS;
  const each = config.databaseConnections + config.appendLanes + jobs + asked;
  const wanted = each * Math.max(1, gateways);
  if (wanted > maxConnections)
    about.fail(
      `${Math.max(1, gateways)} gateways of this kind may open ${wanted} connections; PostgreSQL gives ${maxConnections}`,
      'Raise max_connections, or lower DATABASE_CONNECTIONS.',
    );
  else if (gateways === 0 && wanted + usedConnections > maxConnections)
    about.warn(
      `a gateway may open ${wanted} connections, and ${usedConnections} of ${maxConnections} are in use`,
      'Raise max_connections, or lower DATABASE_CONNECTIONS here or elsewhere.',
    );
  else
    about.ok(`${usedConnections} of ${maxConnections} connections are in use; a gateway opens up to ${each}`);
}

function checkClock(about: About, { clockAhead }: DatabaseHealth): void {
  const off = Math.abs(clockAhead);
  const says = `its clock is ${(off / 1_000).toFixed(1)} s ${clockAhead > 0 ? 'ahead of' : 'behind'} ours`;
  const remedy = 'Let both machines take their time from NTP.';
  if (off < CLOCK_WARNING_MS) about.ok('its clock agrees with ours');
  else if (off < CLOCK_FAILURE_MS) about.warn(says, remedy);
  else about.fail(`${says}: codes of authenticator apps may fail`, remedy);
}

/** Silent where all is well: most databases were never restored. */
function checkRestore({ halfRestored }: DatabaseHealth): Finding[] {
  const about = new About('restore');
  if (halfRestored)
    about.fail(
      'it broke off before the end: what was erased after the backup is still here',
      'Before any gateway starts, run npm run settee -- restore erase --erased FILE, with the ids of what was erased; with an empty file, if nothing was.',
    );
  return about.found;
}

function checkLevel({ level }: DatabaseHealth): Finding[] {
  const about = new About('migrations');
  const known = shippedMigrations;
  const pending = known.filter((name) => level?.includes(name) !== true);
  const unknown = (level ?? []).filter((name) => !known.includes(name));
  if (unknown.length > 0)
    about.warn(
      `the database has been through ${unknown.length} that this release does not know`,
      'A newer release ran here. Run that one, unless this is an upgrade under way.',
    );
  if (pending.length > 0) about.fail(`${pending.length} are to be run`, 'Run npm run settee -- migrate.');
  else about.ok(`all ${known.length} were run`);
  return about.found;
}

function checkAdministrators({ administrators, guarded, level }: DatabaseHealth): Finding[] {
  const about = new About('administrator');
  if (level === undefined) return [];
  if (administrators === 0)
    about.fail('there is none', 'Run npm run settee -- setup code and open /admin/setup, or admin create.');
  else if (guarded === 0)
    about.warn(
      'none has a second factor yet, so nobody can use the admin area',
      'Sign in at /admin and set up an authenticator app or a passkey.',
    );
  else about.ok(`${guarded} of ${administrators} have a second factor`);
  return about.found;
}

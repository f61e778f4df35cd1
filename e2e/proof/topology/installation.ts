import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import pg from 'pg';
import type { BenchDatabase } from '../../../bench/src/stage.ts';
import {
  type EngineControl,
  engineControl,
  startEngines,
  stopEngines,
} from '../../../tools/engines/engines.ts';
import { freePorts } from '../../../tools/freePorts.ts';
import { createFreshDatabase } from '../../../tools/freshDatabase.ts';
import { GatewayProcess, type ProcessOptions } from './gatewayProcess.ts';
import { settee } from './releases.ts';

export const ROOT = resolve(import.meta.dirname, '../../..');

type Settings = Record<string, string>;

/** For all scenarios but the hostile one. A few people on one address send as much as thousands, so limits are off. */
const UNLIMITED = {
  CODES_PER_HOUR: '1000000',
  LIMIT_FACTOR: '1000',
  LOOKUPS_PER_MINUTE: '1000000',
  SEND_BURST: '100000',
  SEND_PER_SECOND: '100000',
  SOCKETS_PER_VISITOR: '1000',
};

/** The settings of a gateway, without its engines. */
export function settingsOf(name: string, options: { origin: string; limits?: 'of the product' }): Settings {
  return {
    LOG_LEVEL: 'fatal',
    SECURITY_LOG: 'off',
    WEB_ROOT: '/nowhere',
    PUBLIC_URL: options.origin,
    SECRET: `the secret of ${name}, the same for all of its gateways`,
    MEDIA_ROOT: mediaOf(name),
    ...(options.limits === undefined && UNLIMITED),
  };
}

function mediaOf(instance: string): string {
  return resolve(ROOT, '.settee', instance, 'media');
}

/** A database, and statements that run as its owner. */
export type Database = BenchDatabase;

/** A new database in a PostgreSQL with fsync, with the tables of this release. */
export async function createDatabase(
  serverUrl: string,
  { build = ROOT, sql = '' }: { build?: string; sql?: string } = {},
): Promise<Database> {
  const { url, ownerUrl, drop } = await createFreshDatabase(serverUrl, { prefix: 'proof' });
  const database = databaseAt(url, ownerUrl, drop);
  const settings = settingsOf('migrate', { origin: 'http://migrate.test' });
  await settee(build, { ...settings, DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl }, ['migrate']);
  if (sql !== '') await database.run(sql);
  // Every retry is an error in PostgreSQL. Half a million of them would make the log huge.
  await query(serverUrl, `alter database ${new URL(url).pathname.slice(1)} set log_min_messages = fatal`);
  const waiting = await query(
    url,
    `select name from pg_settings where setting <> 'on'
     and name in ('fsync', 'synchronous_commit', 'full_page_writes')`,
  );
  if (waiting.length > 0)
    throw new Error('PostgreSQL does not wait for the disk, so the run would prove nothing.');
  return database;
}

export function databaseAt(url: string, ownerUrl: string, drop: () => Promise<void>): Database {
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 4 });
  // PostgreSQL is killed while connections are idle.
  pool.on('error', () => {});
  return {
    url,
    ownerUrl,
    run: async <T>(statement: string, values?: unknown[]) =>
      (await pool.query(statement, values)).rows as T[],
    async drop() {
      await pool.end();
      await drop();
    },
  };
}

/** Runs one statement on its own connection, without proxies. The limit is for a PostgreSQL that hangs. */
export async function query(
  url: string,
  text: string,
  values: unknown[] = [],
  connectsWithinMs = 60_000,
): Promise<unknown[][]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectsWithinMs });
  client.on('error', () => {});
  await client.connect();
  try {
    const config = { text, values, rowMode: 'array' as const };
    const result = await client.query<unknown[]>(values.length === 0 ? { text, rowMode: 'array' } : config);
    return result.rows ?? [];
  } finally {
    await client.end();
  }
}

/** PostgreSQL and NATS, which can be killed. */
export type Engines = { postgresUrl: string; natsUrl: string; postgres: EngineControl; nats: EngineControl };

const started = new Set<string>();
const ends: (() => Promise<unknown>)[] = [];

/** For what must end with this process, also if it is interrupted. */
export function onLeave(end: () => Promise<unknown>): void {
  ends.push(end);
}

export async function startStores(instance: string): Promise<Engines> {
  started.add(instance);
  const urls = await startEngines({ instance, require: true, only: ['postgres', 'nats'] });
  return {
    postgresUrl: urls.DATABASE_URL,
    natsUrl: urls.NATS_URL ?? '',
    postgres: engineControl('postgres', { instance }),
    nats: engineControl('nats', { instance }),
  };
}

/** Stops the engines of all instances that this process started, and the rest. */
export async function leave(): Promise<void> {
  for (const end of ends) await end().catch(console.error);
  for (const instance of started) {
    await stopEngines({ instance }).catch(console.error);
    rmSync(mediaOf(instance), { recursive: true, force: true });
  }
}

/** Gateways with their engines. Everybody reaches them directly. */
export type Installation = Engines & {
  gateways: GatewayProcess[];
  ports: [number, ...number[]];
  origin: string;
  /** The environment of the gateways. */
  env: Settings;
  database: Database;
  unexpectedEnds(): string[];
  close(): Promise<void>;
};

export async function install(options: {
  instance: string;
  gateways: number;
  /** Default: the address of the first gateway. */
  origin?: string;
  limits?: 'of the product';
  settings?: Settings;
}): Promise<Installation> {
  const { instance, settings, limits } = options;
  const engines = await startStores(instance);
  const database = await createDatabase(engines.postgresUrl);
  const ports = (await freePorts(options.gateways)) as Installation['ports'];
  const origin = options.origin ?? `http://127.0.0.1:${ports[0]}`;
  const env = {
    ...settingsOf(instance, { origin, ...(limits && { limits }) }),
    RUN_JOBS: 'false',
    DATABASE_URL: database.url,
    NATS_URL: engines.natsUrl,
    ...settings,
  };
  const gateways = await startAll(ports.map((port, at) => ({ name: gatewayName(at), port, env })));
  return {
    ...engines,
    gateways,
    ports,
    origin,
    env,
    database,
    unexpectedEnds: () => unexpectedEnds(gateways),
    async close() {
      await Promise.all(gateways.map((gateway) => gateway.kill()));
      await database.drop();
    },
  };
}

export function gatewayName(at: number): string {
  return `gateway ${'ABC'[at]}`;
}

export async function startAll(options: readonly ProcessOptions[]): Promise<GatewayProcess[]> {
  const processes = options.map((each) => new GatewayProcess(each));
  await Promise.all(processes.map((each) => each.start()));
  return processes;
}

export function unexpectedEnds(processes: readonly GatewayProcess[]): string[] {
  return processes.flatMap((each) => each.unexpectedEnds);
}

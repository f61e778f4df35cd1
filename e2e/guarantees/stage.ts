import { resolve } from 'node:path';
import pg from 'pg';
import { benchConfig, type Signing, seedDesks } from '../../bench/src/people.ts';
import type { BenchDatabase } from '../../bench/src/stage.ts';
import { migrate } from '../../server/src/db/engine/migrate.ts';
import { type EngineControl, engineControl, startEngines } from '../../tools/engines/engines.ts';
import { freePorts } from '../../tools/freePorts.ts';
import { createDatabase } from '../proof/database.ts';
import { GatewayProcess } from '../proof/gatewayProcess.ts';
import { gatewaySettings } from '../proof/gatewaySettings.ts';

export const INSTANCE = 'guarantees';
export const DESKS = ['desk-0', 'desk-1', 'desk-2'];
export const STAGE_BUILD = resolve(import.meta.dirname, '../..');
const GATEWAYS = 3;

/** Gateways, and a PostgreSQL that can fail over. */
export type Place = {
  /** Where the failing PostgreSQL runs, for the report. */
  name: string;
  ports: [number, ...number[]];
  origin: string;
  signing: Signing;
  database: BenchDatabase;
  /** Kills the primary and returns when PostgreSQL accepts writes again. */
  failOver(): Promise<void>;
  /** Waits until it can fail over again. */
  recovered(): Promise<void>;
  unexpectedEnds(): string[];
  close(): Promise<void>;
};

/** Three gateways with the intervals of the product, and their engines. */
export type Stage = Place & {
  nats: EngineControl;
  natsUrl: string;
  /** Starts the gateways again, with another clock. */
  restart(clockAheadMs: number): Promise<void>;
  stopGateways(): Promise<void>;
  /** The environment of the gateways. */
  env: Record<string, string>;
  /** The highest memory of each gateway since its start, in MB. */
  peakMemory(): number[];
};

export async function setStage(keep: boolean): Promise<Stage> {
  const engines = await startEngines({ instance: INSTANCE, require: true, only: ['postgres', 'nats'] });
  const fresh = await createDatabase(engines.DATABASE_URL, 'guarantees', ({ url, ownerUrl }) =>
    migrate({ databaseUrl: url, databaseOwnerUrl: ownerUrl }).then(() => {}),
  );
  const database = openDatabase(fresh.url, fresh.ownerUrl, fresh.drop);
  const ports = (await freePorts(GATEWAYS)) as Stage['ports'];
  const { secret, publicUrl } = benchConfig(ports[0]);
  const env = {
    DATABASE_URL: fresh.url,
    NATS_URL: engines.NATS_URL ?? '',
    SECRET: secret,
    PUBLIC_URL: publicUrl,
    ...gatewaySettings,
    RUN_JOBS: 'false',
    MEDIA_ROOT: resolve(STAGE_BUILD, '.settee', INSTANCE, 'media'),
  };
  const ended: string[] = [];
  let gateways: GatewayProcess[] = [];
  const stopGateways = async (): Promise<void> => {
    await Promise.all(gateways.map((gateway) => gateway.kill()));
    ended.push(...gateways.flatMap(({ unexpectedEnds }) => unexpectedEnds));
    gateways = [];
  };
  const restart = async (clockAheadMs: number): Promise<void> => {
    await stopGateways();
    gateways = ports.map(
      (port, at) =>
        new GatewayProcess({
          name: `gateway ${'ABC'[at]}`,
          port,
          build: STAGE_BUILD,
          env: { ...env, CLOCK_AHEAD_MS: String(clockAheadMs) },
          clockAnHourAhead: clockAheadMs !== 0,
        }),
    );
    await Promise.all(gateways.map((gateway) => gateway.start()));
  };
  await restart(0);
  await seedDesks(database, DESKS.length);
  const postgres = engineControl('postgres', { instance: INSTANCE });
  return {
    name: 'one PostgreSQL, killed and restarted',
    ports,
    origin: publicUrl,
    signing: ports[0],
    database,
    nats: engineControl('nats', { instance: INSTANCE }),
    natsUrl: env.NATS_URL,
    async failOver() {
      await postgres.kill();
      await postgres.start();
    },
    recovered: async () => {},
    restart,
    stopGateways,
    env,
    peakMemory: () => gateways.map((gateway) => gateway.peakMemory()),
    unexpectedEnds: () => [...ended, ...gateways.flatMap(({ unexpectedEnds }) => unexpectedEnds)],
    async close() {
      await stopGateways();
      if (!keep) await database.drop();
    },
  };
}

export function openDatabase(url: string, ownerUrl: string, drop: () => Promise<void>): BenchDatabase {
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 4 });
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

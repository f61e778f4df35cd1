import { resolve } from 'node:path';
import { migrate } from '../../server/src/db/engine/migrate.ts';
import { engineControl, startEngines } from '../../tools/engines/engines.ts';
import { freePorts } from '../../tools/freePorts.ts';
import { createDatabase } from '../proof/database.ts';
import { GatewayProcess } from '../proof/gatewayProcess.ts';
import { gatewaySettings } from '../proof/gatewaySettings.ts';
import { type Router, startRouter } from './router.ts';

export const ROOT = resolve(import.meta.dirname, '../..');
/** With https the cookies have the names that the router expects. */
export const ORIGIN = 'https://cells.test';
const TAGS = ['a0', 'b7'] as const;
export const INSTANCES = TAGS.map((tag) => `cells-${tag}`);

/** A complete installation with its own engines and its own SECRET. */
export type Cell = {
  tag: string;
  port: number;
  env: Record<string, string>;
  /** For commands of the operator. */
  ownerEnv: Record<string, string>;
  databaseUrl: string;
  unexpectedEnds: readonly string[];
  /** Kills the gateway and its engines, like a power cut. */
  kill(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
};

export type Stage = { cells: [Cell, Cell]; router: Router; close(): Promise<void> };

export async function setStage(keep: boolean): Promise<Stage> {
  const cells = [await startCell(TAGS[0], keep), await startCell(TAGS[1], keep)] as [Cell, Cell];
  const router = await startRouter(cells);
  return {
    cells,
    router,
    async close() {
      await router.stop();
      await Promise.all(cells.map((cell) => cell.close()));
    },
  };
}

async function startCell(tag: string, keep: boolean): Promise<Cell> {
  const instance = `cells-${tag}`;
  const engines = await startEngines({ instance, require: true, only: ['postgres', 'nats'] });
  const database = await createDatabase(engines.DATABASE_URL, 'cells', ({ url, ownerUrl }) =>
    migrate({ databaseUrl: url, databaseOwnerUrl: ownerUrl }).then(() => {}),
  );
  const env = {
    ...gatewaySettings,
    CELL: tag,
    DATABASE_URL: database.url,
    NATS_URL: engines.NATS_URL ?? '',
    SECRET: `the secret of the cell ${tag}, which no other cell knows`,
    PUBLIC_URL: ORIGIN,
    TRUST_PROXY: 'loopback',
    MEDIA_ROOT: resolve(ROOT, '.settee', instance, 'media'),
    RUN_JOBS: 'false',
    LOOKUPS_PER_MINUTE: '1000000',
    SEND_PER_SECOND: '100',
  };
  const [port = 0] = await freePorts(1);
  const gateway = new GatewayProcess({
    name: `gateway of ${tag}`,
    port,
    build: ROOT,
    env,
    clockAnHourAhead: false,
  });
  await gateway.start();
  const parts = (['nats', 'postgres'] as const).map((name) => engineControl(name, { instance }));
  return {
    tag,
    port,
    env,
    ownerEnv: { ...env, DATABASE_OWNER_URL: database.ownerUrl },
    databaseUrl: database.url,
    unexpectedEnds: gateway.unexpectedEnds,
    async kill() {
      await gateway.kill();
      for (const part of parts) await part.kill();
    },
    async start() {
      for (const part of parts) await part.start();
      await gateway.start();
    },
    async close() {
      await gateway.kill();
      if (!keep) await database.drop();
    },
  };
}

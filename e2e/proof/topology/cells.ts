import { freePort } from '../../../tools/freePorts.ts';
import type { Random } from '../random.ts';
import { type Crowd, openDevices } from '../world/devices.ts';
import type { Recorder } from '../world/recorder.ts';
import { createWorld } from '../world/world.ts';
import { createDatabase, type Database, ROOT, settingsOf, startAll, startStores } from './installation.ts';
import { type Router, startRouter } from './router.ts';

/** With https the cookies have the names that the router expects. */
const ORIGIN = 'https://cells.test';

/** A complete installation with its own engines and its own SECRET. */
export type Cell = {
  tag: string;
  port: number;
  env: Record<string, string>;
  /** For commands of the operator. */
  ownerEnv: Record<string, string>;
  database: Database;
  unexpectedEnds: readonly string[];
  /** Kills the gateway and its engines, like a power cut. */
  kill(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
};

/** Two cells behind one address. */
export type Cells = { origin: string; cells: [Cell, Cell]; router: Router; close(): Promise<void> };

export async function startCells(instance: string): Promise<Cells> {
  const cells: [Cell, Cell] = [
    await startCell('a0', `${instance}-a0`),
    await startCell('b7', `${instance}-b7`),
  ];
  const router = await startRouter(cells);
  return {
    origin: ORIGIN,
    cells,
    router,
    async close() {
      await router.stop();
      await Promise.all(cells.map((cell) => cell.close()));
    },
  };
}

async function startCell(tag: string, instance: string): Promise<Cell> {
  const { postgresUrl, natsUrl, postgres, nats } = await startStores(instance);
  const database = await createDatabase(postgresUrl);
  const env = {
    ...settingsOf(instance, { origin: ORIGIN }),
    CELL: tag,
    DATABASE_URL: database.url,
    NATS_URL: natsUrl,
    TRUST_PROXY: 'loopback',
    RUN_JOBS: 'false',
  };
  const port = await freePort();
  const [gateway] = await startAll([{ name: `gateway of ${tag}`, port, env }]);
  if (gateway === undefined) throw new Error('there is no gateway');
  return {
    tag,
    port,
    env,
    ownerEnv: { ...env, DATABASE_OWNER_URL: database.ownerUrl },
    database,
    unexpectedEnds: gateway.unexpectedEnds,
    async kill() {
      await gateway.kill();
      for (const part of [nats, postgres]) await part.kill();
    },
    async start() {
      for (const part of [nats, postgres]) await part.start();
      await gateway.start();
    },
    async close() {
      await gateway.kill();
      await database.drop();
    },
  };
}

/** People of a cell. All of them know only the router's address. */
export async function bringPeople(
  { router, origin }: Cells,
  { env, database, port }: Cell,
  parts: {
    prefix: string;
    desks: number;
    chatsPerDesk: number;
    random: Random;
    recorder: Recorder;
    /** Pages that must connect again do it faster than in a browser. */
    speed: number;
  },
): Promise<Crowd> {
  const desks = await createWorld({ ...parts, build: ROOT, env, database, port: router.port });
  return openDevices(desks, {
    ...parts,
    origin,
    port: router.port,
    gatewayPorts: [],
    from: { databaseUrl: database.url, gatewayPorts: [port] },
    retries: 0,
    cookies: true,
  });
}

import { resolve } from 'node:path';
import { migrate } from '../../server/src/db/engine/migrate.ts';
import type { PushService } from '../../server/test/pushService/service.ts';
import { type EngineControl, engineControl, startEngines, stopEngines } from '../../tools/engines/engines.ts';
import { freePort, freePorts } from '../../tools/freePorts.ts';
import { createDatabase } from '../proof/database.ts';
import { GatewayProcess } from '../proof/gatewayProcess.ts';
import { gatewaySettings } from '../proof/gatewaySettings.ts';
import { type Lines, startLines } from '../proof/lines/lines.ts';
import type { Random } from '../proof/random.ts';
import { startPushReceiver } from '../proof/watch/pushReceiver.ts';
import { type Databases, startDatabases } from './databases.ts';
import { startEtcd } from './etcd.ts';
import { INSTANCE } from './folder.ts';
import { type NatsNode, startNats } from './nats.ts';

export const BUILD = resolve(import.meta.dirname, '../..');
export const ORIGIN = 'http://region.test';
/** The number of PostgreSQL nodes, NATS nodes and gateways. */
const NODES = [0, 1, 2];
const WORKERS = [0, 1];

/** An installation with a spare of everything but S3, on one computer. */
export type Region = {
  databases: Databases;
  nats: NatsNode[];
  s3: EngineControl;
  gateways: GatewayProcess[];
  workers: GatewayProcess[];
  lines: Lines;
  /**
   * The links of `lines`, by index: from each PostgreSQL node to etcd and from the other nodes to it, and between each
   * NATS node and the others.
   */
  etcdLinks: number[];
  peerLinks: number[];
  natsLinks: number[][];
  gatewayPorts: number[];
  /** The port of the gateway with the fast clock. */
  aheadPort: number;
  /** The environment of the gateways, but with the address of the primary. */
  env: Record<string, string>;
  databaseUrl: string;
  push: PushService;
  close(): Promise<void>;
};

export async function startRegion(options: { random: Random; synchronous: boolean }): Promise<Region> {
  const { random, synchronous } = options;
  const ended: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const end of ended.toReversed()) await end();
  };
  try {
    const s3 = await startEngines({ instance: INSTANCE, require: true, only: ['s3'] });
    ended.push(() => stopEngines({ instance: INSTANCE }));
    const etcd = await startEtcd();
    ended.push(() => Promise.all(etcd.machines.map((machine) => machine.kill())));
    const databasePort = await freePort();
    const nodePorts = await freePorts(NODES.length);
    const clusterPorts = await freePorts(NODES.length);
    const gatewayPorts = await freePorts(NODES.length);
    const pairs = NODES.flatMap((from) => NODES.filter((to) => to !== from).map((to) => ({ from, to })));
    const lines = await startLines({
      seed: random.whole(0, 2 ** 31),
      gatewayPorts,
      delayMaxMs: 0,
      databasePort,
      links: [
        ...NODES.map(() => etcd.ports),
        ...nodePorts.map((port) => [port]),
        ...pairs.map(({ to }) => [clusterPorts[to] ?? 0]),
      ],
    });
    ended.push(() => lines.close());
    const firstRoute = 2 * NODES.length;
    const natsLinks = NODES.map((node) =>
      pairs.flatMap(({ from, to }, index) => (from === node || to === node ? [firstRoute + index] : [])),
    );
    const routes = NODES.map((node) =>
      pairs.flatMap(({ from }, index) => (from === node ? [lines.links[firstRoute + index] ?? 0] : [])),
    );
    const nats = await startNats(clusterPorts, routes);
    ended.push(() => Promise.all(nats.map(({ machine }) => machine.kill())));
    const databases = await startDatabases({
      port: databasePort,
      ports: nodePorts,
      etcdPorts: lines.links.slice(0, NODES.length),
      peerPorts: lines.links.slice(NODES.length, firstRoute),
      synchronous,
    });
    ended.push(() => databases.close());
    const database = await createDatabase(databases.ownerUrl, 'region', async ({ url, ownerUrl }) => {
      await migrate({ databaseUrl: url, databaseOwnerUrl: ownerUrl });
    });
    const { DATABASE_URL: _, ...s3Settings } = s3;
    const [, , aheadPort = 0] = gatewayPorts;
    const receiver = await startPushReceiver();
    ended.push(() => receiver.push.stop());
    const env = { ...settings, ...s3Settings, ...receiver.env, DATABASE_URL: database.url };
    const privatePorts = await freePorts(WORKERS.length);
    const gateways = gatewayPorts.map((port, index) => {
      const databaseUrl = new URL(database.url);
      databaseUrl.port = String(lines.databases[index]);
      return new GatewayProcess({
        name: `gateway ${'ABC'[index]}`,
        port,
        build: BUILD,
        env: { ...env, DATABASE_URL: databaseUrl.href, NATS_URL: nats[index]?.url ?? '' },
        clockAnHourAhead: port === aheadPort,
      });
    });
    const workers = privatePorts.map(
      (port, index) =>
        new GatewayProcess({
          name: `worker ${index + 1}`,
          port,
          entry: 'server/src/jobs/worker.ts',
          readyUrl: `http://127.0.0.1:${port}/readyz`,
          build: BUILD,
          env: { ...env, NATS_URL: nats[0]?.url ?? '', PRIVATE_PORT: String(port) },
          clockAnHourAhead: false,
        }),
    );
    ended.push(() => Promise.all([...gateways, ...workers].map((each) => each.kill())));
    await Promise.all([...gateways, ...workers].map((each) => each.start()));
    return {
      databases,
      nats,
      s3: engineControl('s3', { instance: INSTANCE }),
      gateways,
      workers,
      lines,
      etcdLinks: NODES,
      peerLinks: NODES.map((node) => NODES.length + node),
      natsLinks,
      gatewayPorts,
      aheadPort,
      env: { ...env, NATS_URL: nats.map(({ url }) => url).join(',') },
      databaseUrl: database.url,
      push: receiver.push,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const settings = {
  ...gatewaySettings,
  SECRET: 'the secret of the region, the same for all of its gateways',
  PUBLIC_URL: ORIGIN,
  RUN_JOBS: 'false',
  LOOKUPS_PER_MINUTE: '1000000',
  SOCKETS_PER_VISITOR: '1000',
};

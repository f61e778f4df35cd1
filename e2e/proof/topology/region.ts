import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  type EngineControl,
  engineControl,
  startEngines,
  stopEngines,
} from '../../../tools/engines/engines.ts';
import { waitUntil } from '../../../tools/engines/process.ts';
import { findProgram } from '../../../tools/engines/program.ts';
import { newSecret } from '../../../tools/engines/state.ts';
import { natsServer } from '../../../tools/engines/versions.ts';
import { freePort, freePorts } from '../../../tools/freePorts.ts';
import type { Random } from '../random.ts';
import type { WatchedStage } from '../watch/scene.ts';
import { startPushReceiver } from '../watch/watchers.ts';
import { GatewayProcess, HOUR_MS } from './gatewayProcess.ts';
import { createDatabase, gatewayName, onLeave, settingsOf } from './installation.ts';
import { type Lines, startLines } from './lines.ts';
import { FOLDER, give, INSTANCE, Machine, regionRoot, writeConfig } from './machine.ts';
import { type Databases, startDatabases } from './patroni.ts';

const ORIGIN = 'http://region.test';
/** The number of PostgreSQL nodes, NATS nodes and gateways. */
const NODES = [0, 1, 2];
const WORKERS = 2;

/** An installation with a spare of everything but S3, on one computer. */
export type Region = WatchedStage & {
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
  close(): Promise<void>;
};

export async function startRegion(options: { random: Random; synchronous: boolean }): Promise<Region> {
  const { random, synchronous } = options;
  const ended: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const end of ended.splice(0).toReversed()) await end();
  };
  try {
    onLeave(close);
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
    const database = await createDatabase(databases.ownerUrl);
    ended.push(() => database.drop());
    const { DATABASE_URL: _, ...s3Settings } = s3;
    const [, , signInPort = 0] = gatewayPorts;
    const receiver = await startPushReceiver();
    ended.push(() => receiver.push.stop());
    const env = {
      ...settingsOf(INSTANCE, { origin: ORIGIN }),
      ...s3Settings,
      ...receiver.env,
      RUN_JOBS: 'false',
      DATABASE_URL: database.url,
    };
    const gateways = gatewayPorts.map((port, index) => {
      const databaseUrl = new URL(database.url);
      databaseUrl.port = String(lines.databases[index]);
      return new GatewayProcess({
        name: gatewayName(index),
        port,
        env: { ...env, DATABASE_URL: databaseUrl.href, NATS_URL: nats[index]?.url ?? '' },
        ...(port === signInPort && { aheadMs: HOUR_MS }),
      });
    });
    const workers = (await freePorts(WORKERS)).map(
      (port, index) =>
        new GatewayProcess({
          name: `worker ${index + 1}`,
          port,
          entry: 'server/src/jobs/worker.ts',
          readyUrl: `http://127.0.0.1:${port}/readyz`,
          env: { ...env, NATS_URL: nats[0]?.url ?? '', PRIVATE_PORT: String(port) },
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
      signInPort,
      origin: ORIGIN,
      database,
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

const READY_WITHIN_SECONDS = 120;
const MEMBERS = [1, 2, 3];

/** Three members. Returns their ports for clients. */
async function startEtcd(): Promise<{ ports: number[]; machines: Machine[] }> {
  const ports = await freePorts(MEMBERS.length);
  const peers = (await freePorts(MEMBERS.length)).map((port) => `http://127.0.0.1:${port}`);
  const cluster = MEMBERS.map((member, index) => `etcd-${member}=${peers[index]}`).join(',');
  const machines = MEMBERS.map((member, index) => {
    const name = `etcd-${member}`;
    const folder = join(FOLDER, name);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    give(folder);
    const client = `http://127.0.0.1:${ports[index]}`;
    const peer = peers[index] ?? '';
    const machine = new Machine({
      name,
      root: regionRoot(),
      command: [
        'etcd',
        ...['--name', name, '--data-dir', folder, '--log-level', 'error'],
        ...['--listen-client-urls', client, '--advertise-client-urls', client],
        ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
        ...['--initial-cluster', cluster, '--initial-cluster-state', 'new'],
        // The disk is shared with three databases under load.
        ...['--heartbeat-interval', '300', '--election-timeout', '3000'],
      ],
    });
    machine.start();
    return machine;
  });
  if (!(await waitUntil(() => isReady(ports), READY_WITHIN_SECONDS)))
    throw new Error(`etcd did not start: see ${FOLDER}/etcd-1.log`);
  return { ports, machines };
}

/** Patroni cannot start before the members agree on their version. */
async function isReady(ports: number[]): Promise<boolean> {
  const versions = ports.map(async (port) => {
    const response = await fetch(`http://127.0.0.1:${port}/version`).catch(() => undefined);
    return response?.ok === true && !(await response.text()).includes('not_decided');
  });
  return (await Promise.all(versions)).every(Boolean);
}

export type NatsNode = {
  machine: Machine;
  url: string;
  /** The number of gateways that use this node. */
  countClients(): Promise<number>;
};

/** A cluster. `routes` has the ports at which each node reaches the others. */
async function startNats(clusterPorts: number[], routes: number[][]): Promise<NatsNode[]> {
  const program = await findProgram(natsServer);
  if (program === undefined) throw new Error('There is no nats-server.');
  const password = newSecret();
  const ports = await freePorts(2 * clusterPorts.length);
  return clusterPorts.map((clusterPort, index): NatsNode => {
    const name = `nats-${index + 1}`;
    const [port = 0, monitorPort = 0] = ports.splice(0, 2);
    const config = {
      server_name: name,
      listen: `127.0.0.1:${port}`,
      http: `127.0.0.1:${monitorPort}`,
      authorization: { user: 'settee', password },
      // Detects a dead peer within seconds instead of minutes.
      ping_interval: '2s',
      ping_max: 2,
      cluster: {
        name: 'region',
        listen: `127.0.0.1:${clusterPort}`,
        // Nothing listens there, so that nodes use only the routes below, which can be separated.
        advertise: '127.0.0.1:9',
        routes: routes[index]?.map((route) => `nats://127.0.0.1:${route}`),
      },
    };
    const file = writeConfig(`${name}.json`, JSON.stringify(config, undefined, 2));
    const machine = new Machine({ name, root: '/', command: [program, '-c', file] });
    machine.start();
    return {
      machine,
      url: `nats://settee:${password}@127.0.0.1:${port}`,
      async countClients() {
        const response = await fetch(`http://127.0.0.1:${monitorPort}/varz`).catch(() => undefined);
        return response?.ok ? ((await response.json()) as { connections: number }).connections : 0;
      },
    };
  });
}

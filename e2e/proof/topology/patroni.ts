import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { waitUntil } from '../../../tools/engines/process.ts';
import { newSecret } from '../../../tools/engines/state.ts';
import { freePorts } from '../../../tools/freePorts.ts';
import { query } from './installation.ts';
import { FOLDER, give, Machine, regionRoot, writeConfig } from './machine.ts';

const SHIPPED = resolve(import.meta.dirname, '../../../ops/patroni');
const HEALTHY_WITHIN_SECONDS = 240;
const ASK_MS = 2_000;

/** Two cores run three servers, which only we reach. Frequent checkpoints, because they crash often. */
const SETTINGS = {
  checkpoint_timeout: '5min',
  shared_buffers: '128MB',
  max_wal_size: '2GB',
  unix_socket_directories: '/tmp',
  ssl: 'off',
};

const STANDBYS = `select count(*)::integer, (count(*) filter (where sync_state in ('sync', 'quorum')))::integer
  from pg_stat_replication where state = 'streaming'`;

type Member = { name: string; role: string; state: string };

/** One PostgreSQL with its Patroni and its disk. */
export type Node = { name: string; machine: Machine; disk: Disk; port: number; apiPort: number };

export class Databases {
  readonly nodes: Node[];
  readonly ownerUrl: string;
  readonly #synchronous: boolean;
  readonly #balancer: Machine;

  constructor(parts: { nodes: Node[]; balancer: Machine; ownerUrl: string; synchronous: boolean }) {
    this.nodes = parts.nodes;
    this.#balancer = parts.balancer;
    this.ownerUrl = parts.ownerUrl;
    this.#synchronous = parts.synchronous;
  }

  /** Starts a node that does not run. */
  start({ machine, disk }: Node): void {
    // Its number may belong to another process of the new machine.
    rmSync(join(disk.folder, 'data', 'postmaster.pid'), { force: true });
    machine.start();
  }

  /** The primary, which has the key of the leader. It may still believe so when it has just lost it. */
  async leader(except?: Node): Promise<Node | undefined> {
    const others = this.nodes.filter((node) => node !== except);
    const answers = await Promise.all(
      others.map(async (node) => ((await ask(node, 'GET', '/primary'))?.ok === true ? node : undefined)),
    );
    return answers.find((node) => node !== undefined);
  }

  /** Asks the node to hand over to any standby that has everything. Returns its answer. */
  async switchOver(from: Node): Promise<string> {
    const response = await ask(from, 'POST', '/switchover', { leader: from.name }, 60_000);
    return response?.text.trim() ?? 'no answer';
  }

  async members(): Promise<Member[]> {
    const answers = await Promise.all(this.nodes.map((node) => ask(node, 'GET', '/cluster')));
    const answer = answers.find((each) => each?.ok);
    return answer === undefined ? [] : (JSON.parse(answer.text) as { members: Member[] }).members;
  }

  /** One leader and two streaming standbys, one of them synchronous. What Patroni knows may be some seconds old. */
  async isHealthy(): Promise<boolean> {
    const standbys = this.nodes.length - 1;
    const wanted = `${standbys} ${this.#synchronous ? 1 : 0}`;
    const members = await this.members();
    const known = [
      members.filter(({ role }) => role === 'leader').length,
      members.filter(({ state }) => state === 'streaming').length,
      members.filter(({ role }) => role === 'sync_standby').length,
    ];
    if (known.join(' ') !== `1 ${wanted}`) return false;
    const [row] = await query(this.ownerUrl, STANDBYS, [], ASK_MS).catch(() => []);
    return row?.join(' ') === wanted;
  }

  async waitUntilHealthy(): Promise<void> {
    if (await waitUntil(() => this.isHealthy(), HEALTHY_WITHIN_SECONDS)) return;
    throw new Error(`PostgreSQL is not healthy: ${JSON.stringify(await this.members())}`);
  }

  async close(): Promise<void> {
    await Promise.all(
      [this.#balancer, ...this.nodes.map(({ machine }) => machine)].map((machine) => machine.kill()),
    );
    for (const { disk } of this.nodes) disk.unmount();
  }
}

/** The answer of Patroni. Undefined if it does not answer in time. */
async function ask(
  { apiPort }: Node,
  method: string,
  path: string,
  body?: object,
  withinMs = ASK_MS,
): Promise<{ ok: boolean; text: string } | undefined> {
  const request = {
    method,
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(withinMs),
  };
  try {
    const response = await fetch(`http://127.0.0.1:${apiPort}${path}`, request);
    return { ok: response.ok, text: await response.text() };
  } catch {
    return undefined;
  }
}

/** Nodes under Patroni, and HAProxy, which leads to the primary. */
export async function startDatabases(options: {
  /** The port of HAProxy. */
  port: number;
  /** The ports of the nodes, where each finds etcd, and where the other nodes find it. */
  ports: number[];
  etcdPorts: number[];
  peerPorts: number[];
  synchronous: boolean;
}): Promise<Databases> {
  const { port: balancerPort, etcdPorts, peerPorts, synchronous } = options;
  const passwords = { superuser: newSecret(), replication: newSecret() };
  const apiPorts = await freePorts(options.ports.length);
  const nodes = options.ports.map((port, index): Node => {
    const name = `node-${index + 1}`;
    const [apiPort = 0, etcdPort = 0, peerPort = 0] = [apiPorts[index], etcdPorts[index], peerPorts[index]];
    const disk = new Disk(name);
    disk.mount();
    const config = patroniConfig({ name, port, apiPort, etcdPort, peerPort, disk, synchronous, passwords });
    const file = writeConfig(`${name}.json`, JSON.stringify(config, undefined, 2));
    const machine = new Machine({ name, root: regionRoot(), command: ['patroni', file] });
    return { name, machine, disk, port, apiPort };
  });
  const file = writeConfig('haproxy.cfg', balancerConfig(balancerPort, nodes));
  const balancer = new Machine({ name: 'haproxy', root: regionRoot(), command: ['haproxy', '-f', file] });
  const ownerUrl = `postgres://postgres:${passwords.superuser}@127.0.0.1:${balancerPort}/postgres`;
  const databases = new Databases({ nodes, balancer, ownerUrl, synchronous });
  for (const node of nodes) databases.start(node);
  balancer.start();
  await databases.waitUntilHealthy();
  return databases;
}

type Patroni = {
  bootstrap: { dcs: { postgresql: { parameters: object } }; initdb: unknown[] };
  postgresql: object;
};

/** The shipped file with the addresses of this computer. */
function patroniConfig(node: {
  name: string;
  port: number;
  apiPort: number;
  etcdPort: number;
  peerPort: number;
  disk: Disk;
  synchronous: boolean;
  passwords: { superuser: string; replication: string };
}): object {
  const { name, port, apiPort, etcdPort, peerPort, disk, synchronous, passwords } = node;
  const api = `127.0.0.1:${apiPort}`;
  const { bootstrap, postgresql, ...shipped } = parse(readShipped('config.yml')) as Patroni;
  const { dcs, initdb } = bootstrap;
  const parameters = { ...dcs.postgresql.parameters, ...SETTINGS };
  return {
    ...shipped,
    name,
    log: { level: 'INFO' },
    restapi: { listen: api, connect_address: api },
    // Otherwise it would learn the addresses of the members and use them instead of this one.
    etcd3: { hosts: [`127.0.0.1:${etcdPort}`], use_proxies: true },
    bootstrap: {
      dcs: {
        ...dcs,
        postgresql: { ...dcs.postgresql, parameters },
        // The control run, in which a standby that lags may become the primary.
        ...(!synchronous && {
          synchronous_mode: false,
          synchronous_mode_strict: false,
          maximum_lag_on_failover: 1_073_741_824,
        }),
      },
      initdb,
    },
    postgresql: {
      ...postgresql,
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${peerPort}`,
      data_dir: join(disk.folder, 'data'),
      pgpass: '/tmp/pgpass',
      authentication: {
        superuser: { username: 'postgres', password: passwords.superuser },
        replication: { username: 'replicator', password: passwords.replication },
      },
      pg_hba: [
        'host replication replicator 127.0.0.1/32 scram-sha-256',
        'host all all 127.0.0.1/32 scram-sha-256',
      ],
    },
  };
}

/** The shipped file with the addresses of this computer. */
function balancerConfig(port: number, nodes: readonly Node[]): string {
  const servers = nodes.map(
    (node) => `  server ${node.name} 127.0.0.1:${node.port} check port ${node.apiPort}`,
  );
  return (
    readShipped('haproxy.cfg')
      // The sandbox has no such user, and is not root.
      .replace(/^ *(?:user|group|chroot|log) .*\n/gm, '')
      .replace(/^( *bind) .*$/m, `$1 127.0.0.1:${port}`)
      .replace(/(?:^ *server .*\n)+/m, `${servers.join('\n')}\n`)
  );
}

function readShipped(name: string): string {
  return readFileSync(join(SHIPPED, name), 'utf8');
}

/** More than a run needs. The file grows only as it is used. */
const SIZE = '12G';

/** A file system of its own in a file, so that it can become full. */
class Disk {
  readonly folder: string;
  readonly #image: string;
  readonly #filler: string;

  constructor(name: string) {
    this.folder = join(FOLDER, name);
    this.#image = `${this.folder}.img`;
    this.#filler = join(this.folder, 'filler');
  }

  /** Empty, also if an earlier run was killed. */
  mount(): void {
    this.unmount();
    mkdirSync(this.folder, { recursive: true });
    execFileSync('truncate', ['--size', SIZE, this.#image]);
    execFileSync('mkfs.ext4', ['-q', '-m', '0', this.#image]);
    asRoot('mount', '-o', 'loop,noatime', this.#image, this.folder);
    if (process.getuid?.() === 0) give(this.folder);
    else asRoot('chown', String(process.getuid?.()), this.folder);
  }

  unmount(): void {
    while (readFileSync('/proc/mounts', 'utf8').includes(` ${this.folder} `)) asRoot('umount', this.folder);
    rmSync(this.#image, { force: true });
  }

  /** Takes all space. Returns the bytes that are left. */
  fill(): number {
    // It asks for more than there is, gets the rest, and fails.
    spawnSync('fallocate', ['--length', SIZE, this.#filler]);
    const { bavail, bsize } = statfsSync(this.folder);
    return bavail * bsize;
  }

  free(): void {
    rmSync(this.#filler, { force: true });
  }
}

function asRoot(...command: string[]): void {
  const [program = '', ...args] = process.getuid?.() === 0 ? command : ['sudo', '-n', ...command];
  execFileSync(program, args);
}

import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../tools/freePorts.ts';
import { startGateway, withGateway } from './gateway.ts';
import type { IdleUsers } from './idle.ts';
import type { Stage } from './path.ts';
import { type Claimed, type SignedIn, seedConversations, signInVisitor } from './people.ts';
import type { Memory } from './probe.ts';
import { cpuOf, cpuOfFamily, memoryOf, nextMessageFrom, startNode, stopChild } from './processes.ts';

const PROBE = fileURLToPath(new URL('probe.ts', import.meta.url));
const IDLE = fileURLToPath(new URL('idle.ts', import.meta.url));
const BARE_SERVER = fileURLToPath(new URL('bareServer.ts', import.meta.url));
const FLAGS = ['--expose-gc', '--import', PROBE];

/** Bytes per socket, as counted by the system and by Node. */
export type PerSocket = { rss: number; pss: number; heap: number; external: number };
/** Of the round with the median ratio of RSS. */
export type MemoryResult = { sockets: number; product: PerSocket; bare: PerSocket; ratio: number };

const ROUNDS = 3;

/**
 * Bytes per idle, authenticated, watching visitor, compared with a bare ws server with as many sockets. Measured after
 * a fifth of the sockets and after all, so that the basic size of a process does not count.
 */
export async function measureMemory(stage: Stage, sockets: number): Promise<MemoryResult> {
  const claimed = await claimEmpty(stage, sockets);
  const rounds: MemoryResult[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const product = await measureProduct(stage, claimed);
    const bare = await measureBare(sockets);
    rounds.push({ sockets, product, bare, ratio: product.rss / bare.rss });
  }
  const [, median] = rounds.sort((left, right) => left.ratio - right.ratio);
  return median as MemoryResult;
}

function claimEmpty({ database, desks }: Stage, count: number): Promise<Claimed[]> {
  return seedConversations(database, desks, Array<number>(count).fill(0));
}

async function measureProduct(stage: Stage, claimed: Claimed[]): Promise<PerSocket> {
  const port = await freePort();
  const users = await Promise.all(claimed.map((each) => signInVisitor(port, each)));
  return withGateway({ ...stage, port, nodeFlags: FLAGS }, ({ child }) => fill(child, port, users));
}

async function measureBare(sockets: number): Promise<PerSocket> {
  const port = await freePort();
  const child = startNode([...FLAGS, BARE_SERVER, String(port)]);
  // As long as a real ID token, with one conversation each, so that the same number of bytes arrives.
  const user = { token: 'x'.repeat(300), conversationIds: ['00000000-0000-4000-8000-000000000000'] };
  try {
    await nextMessageFrom(child);
    return await fill(child, port, Array<SignedIn>(sockets).fill(user));
  } finally {
    await stopChild(child);
  }
}

async function fill(server: ChildProcess, port: number, users: SignedIn[]): Promise<PerSocket> {
  const idle = startNode([IDLE]);
  const first = Math.round(users.length / 5);
  const arrive = async (some: SignedIn[]): Promise<PerSocket> => {
    await open(idle, { port, origin: `http://127.0.0.1:${port}`, users: some });
    return settled(server);
  };
  try {
    const few = await arrive(users.slice(0, first));
    const all = await arrive(users.slice(first));
    const each = (what: keyof PerSocket): number => (all[what] - few[what]) / (users.length - first);
    return { rss: each('rss'), pss: each('pss'), heap: each('heap'), external: each('external') };
  } finally {
    await stopChild(idle);
  }
}

async function open(idle: ChildProcess, users: IdleUsers): Promise<void> {
  const opened = nextMessageFrom(idle);
  idle.send(users);
  await opened;
}

/** The whole process, after garbage collection. */
async function settled(server: ChildProcess): Promise<PerSocket> {
  const counted = nextMessageFrom<Memory>(server);
  server.send('settle');
  const memory = await counted;
  return {
    rss: resident(server.pid),
    pss: memoryOf(server.pid, 'smaps_rollup', 'Pss'),
    ...memory,
  };
}

/** A process may have few descriptors. */
const SOCKETS_PER_GATEWAY = 17_000;

export type HoldResult = {
  sockets: number;
  gateways: number;
  seconds: number;
  openSeconds: number;
  /** Of all gateways, without their size before the first socket, at the beginning and at the end. */
  bytesPerSocket: { first: number; last: number };
  /** Share of one core, while nobody writes. */
  cores: { gateways: number; postgres: number; nats: number };
};

/** Idle, watching visitors at several gateways for a long time: memory, and the CPU time of heartbeats and sweeps. */
export async function measureHold(
  stage: Stage,
  { sockets, seconds }: { sockets: number; seconds: number },
): Promise<HoldResult> {
  const { pids } = stage.engines;
  const claimed = await claimEmpty(stage, sockets);
  const publicPort = await freePort();
  const users = await Promise.all(claimed.map((each) => signInVisitor(publicPort, each)));
  const children: ChildProcess[] = [];
  const gateways: ChildProcess[] = [];
  const ofGateways = (what: (pid: number | undefined) => number): number =>
    gateways.reduce((sum, { pid }) => sum + what(pid), 0);
  const now = () => ({
    bytes: ofGateways(resident),
    cpu: { gateways: ofGateways(cpuOf), postgres: cpuOfFamily(pids.postgres), nats: cpuOf(pids.nats) },
  });
  let empty = 0;
  const began = performance.now();
  try {
    for (let at = 0; at < sockets; at += SOCKETS_PER_GATEWAY) {
      const { child, port, origin } = await startGateway({ ...stage, publicPort });
      const idle = startNode([IDLE]);
      gateways.push(child);
      children.push(child, idle);
      empty += resident(child.pid);
      // Each generator has its own address: an address has fewer ports than there are sockets.
      const from = `127.0.1.${gateways.length}`;
      await open(idle, { port, origin, users: users.slice(at, at + SOCKETS_PER_GATEWAY), from });
      idle.once('exit', () => {
        throw new Error('an idle socket was closed');
      });
    }
    const openSeconds = (performance.now() - began) / 1_000;
    const before = now();
    await sleep(seconds * 1_000);
    const after = now();
    for (const child of children) child.removeAllListeners('exit');
    const share = (what: keyof HoldResult['cores']): number =>
      (after.cpu[what] - before.cpu[what]) / (seconds * 1_000_000);
    return {
      sockets,
      gateways: gateways.length,
      seconds,
      openSeconds,
      bytesPerSocket: { first: (before.bytes - empty) / sockets, last: (after.bytes - empty) / sockets },
      cores: { gateways: share('gateways'), postgres: share('postgres'), nats: share('nats') },
    };
  } finally {
    for (const child of children.reverse()) await stopChild(child);
  }
}

function resident(pid: number | undefined): number {
  return memoryOf(pid, 'status', 'VmRSS');
}

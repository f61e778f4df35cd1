import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../tools/freePorts.ts';
import { nextMessageFrom, startNode, stopChild } from './children.ts';
import { listens, startGateway } from './gateway.ts';
import type { IdleUsers } from './idle.ts';
import { kilobytes, residentBytes } from './memoryOf.ts';
import { type Claimed, type SignedIn, seedConversations, signInVisitor } from './people.ts';
import type { Memory } from './probe.ts';
import type { BenchDatabase, Engines } from './stage.ts';

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
export async function measureMemory(
  engines: Engines,
  database: BenchDatabase,
  desks: readonly string[],
  sockets: number,
): Promise<MemoryResult> {
  const claimed = await seedConversations(database, desks, Array<number>(sockets).fill(0));
  const rounds: MemoryResult[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const product = await measureProduct(engines, database, claimed);
    const bare = await measureBare(sockets);
    rounds.push({ sockets, product, bare, ratio: product.rss / bare.rss });
  }
  const [, median] = rounds.sort((left, right) => left.ratio - right.ratio);
  return median as MemoryResult;
}

async function measureProduct(
  engines: Engines,
  database: BenchDatabase,
  claimed: Claimed[],
): Promise<PerSocket> {
  const port = await freePort();
  const users = await Promise.all(claimed.map((each) => signInVisitor(port, each)));
  const gateway = await startGateway({ databaseUrl: database.url, natsUrl: engines.natsUrl, port }, FLAGS);
  try {
    return await fill(gateway.child, port, users);
  } finally {
    await gateway.stop();
  }
}

async function measureBare(sockets: number): Promise<PerSocket> {
  const port = await freePort();
  const child = startNode([...FLAGS, BARE_SERVER, String(port)]);
  // As long as a real ID token, with one conversation each, so that the same number of bytes arrives.
  const user = { token: 'x'.repeat(300), conversationIds: ['00000000-0000-4000-8000-000000000000'] };
  try {
    await listens(child, port);
    return await fill(child, port, Array<SignedIn>(sockets).fill(user));
  } finally {
    await stopChild(child);
  }
}

async function fill(server: ChildProcess, port: number, users: SignedIn[]): Promise<PerSocket> {
  const idle = startNode([IDLE]);
  const first = Math.round(users.length / 5);
  const arrive = async (some: SignedIn[]): Promise<PerSocket> => {
    const arrived = nextMessageFrom(idle);
    idle.send({ port, origin: `http://127.0.0.1:${port}`, users: some } satisfies IdleUsers);
    await arrived;
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

/** The whole process, after garbage collection. */
async function settled(server: ChildProcess): Promise<PerSocket> {
  const counted = nextMessageFrom<Memory>(server);
  server.send('settle');
  const memory = await counted;
  return {
    rss: residentBytes(server.pid),
    pss: kilobytes(`/proc/${server.pid}/smaps_rollup`, 'Pss') * 1_024,
    ...memory,
  };
}

import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../tools/freePorts.ts';
import { nextMessageFrom, startNode, stopChild } from './children.ts';
import { cpuOf, cpuOfFamily } from './cpu.ts';
import { startGateway } from './gateway.ts';
import type { IdleUsers } from './idle.ts';
import { residentBytes } from './memoryOf.ts';
import { seedConversations, signInVisitor } from './people.ts';
import type { BenchDatabase, Engines } from './stage.ts';

const IDLE = fileURLToPath(new URL('idle.ts', import.meta.url));
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
  engines: Engines,
  database: BenchDatabase,
  desks: readonly string[],
  { sockets, seconds }: { sockets: number; seconds: number },
): Promise<HoldResult> {
  const claimed = await seedConversations(database, desks, Array<number>(sockets).fill(0));
  const publicPort = await freePort();
  const users = await Promise.all(claimed.map((each) => signInVisitor(publicPort, each)));
  const children: ChildProcess[] = [];
  const gateways: ChildProcess[] = [];
  const resident = (): number => gateways.reduce((sum, { pid }) => sum + residentBytes(pid), 0);
  let empty = 0;
  const began = performance.now();
  try {
    for (let at = 0; at < sockets; at += SOCKETS_PER_GATEWAY) {
      const port = await freePort();
      const settings = { databaseUrl: database.url, natsUrl: engines.natsUrl, port, publicPort };
      const { child, origin } = await startGateway(settings);
      children.push(child);
      gateways.push(child);
      empty += residentBytes(child.pid);
      const idle = startNode([IDLE]);
      children.push(idle);
      const some = users.slice(at, at + SOCKETS_PER_GATEWAY);
      const opened = nextMessageFrom(idle);
      // Each generator has its own address: an address has fewer ports than there are sockets.
      idle.send({ port, origin, users: some, from: `127.0.1.${gateways.length}` } satisfies IdleUsers);
      await opened;
      idle.once('exit', () => {
        throw new Error('an idle socket was closed');
      });
    }
    const openSeconds = (performance.now() - began) / 1_000;
    const cpu = () => ({
      gateways: gateways.reduce((sum, { pid }) => sum + cpuOf(pid), 0),
      postgres: cpuOfFamily(engines.pids.postgres),
      nats: cpuOf(engines.pids.nats),
    });
    const [bytes, before] = [resident(), cpu()];
    await sleep(seconds * 1_000);
    const [bytesAfter, after] = [resident(), cpu()];
    for (const child of children) child.removeAllListeners('exit');
    const share = (what: keyof typeof before): number => (after[what] - before[what]) / (seconds * 1_000_000);
    return {
      sockets,
      gateways: gateways.length,
      seconds,
      openSeconds,
      bytesPerSocket: { first: (bytes - empty) / sockets, last: (bytesAfter - empty) / sockets },
      cores: { gateways: share('gateways'), postgres: share('postgres'), nats: share('nats') },
    };
  } finally {
    for (const child of children.reverse()) await stopChild(child);
  }
}

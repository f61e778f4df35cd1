import type { ChildProcess } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { answers as answersHttp } from '../../tools/answers.ts';
import { startNode, stopChild } from './children.ts';
import { childrenOf } from './cpu.ts';
import { benchConfig } from './people.ts';

const MAIN = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url));
const START_MS = 20_000;

export type BenchGateway = {
  /** With several gateways, it only supervises them. */
  child: ChildProcess;
  /** The processes that serve. */
  pids: number[];
  port: number;
  origin: string;
  stop(): Promise<void>;
};

/** The real gateway. Only the limits per sender are raised. */
export async function startGateway(
  settings: {
    databaseUrl: string;
    natsUrl: string;
    port: number;
    /** The port of the public address, if it is another gateway's. */
    publicPort?: number;
    /** So many processes on the port. Their private ports are the next ones. */
    gateways?: number;
  },
  nodeFlags: readonly string[] = [],
): Promise<BenchGateway> {
  const { secret, publicUrl } = benchConfig(settings.publicPort ?? settings.port);
  const child = startNode([...nodeFlags, MAIN], {
    PATH: process.env.PATH,
    DATABASE_URL: settings.databaseUrl,
    NATS_URL: settings.natsUrl,
    PORT: String(settings.port),
    PUBLIC_URL: publicUrl,
    SECRET: secret,
    LOG_LEVEL: 'fatal',
    SECURITY_LOG: 'off',
    RUN_JOBS: 'false',
    SEND_BURST: '100000',
    LIMIT_FACTOR: '1000',
    SEND_PER_SECOND: '100000',
    ...(settings.gateways !== undefined && {
      GATEWAYS: String(settings.gateways),
      PRIVATE_PORT: String(settings.port + 1),
    }),
  });
  await listens(child, settings.port);
  for (let number = 1; number <= (settings.gateways ?? 0); number += 1)
    await answersHttp(`http://127.0.0.1:${settings.port + number}/readyz`, () => child.exitCode !== null);
  const { pid = 0 } = child;
  const pids = (settings.gateways ?? 1) > 1 ? childrenOf(pid) : [pid];
  return { child, pids, port: settings.port, origin: publicUrl, stop: () => stopChild(child) };
}

export async function listens(child: ChildProcess, port: number): Promise<void> {
  const deadline = performance.now() + START_MS;
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`the process on port ${port} ended with ${child.exitCode}`);
    if (performance.now() > deadline) throw new Error(`nothing listens on port ${port}`);
    await sleep(50);
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

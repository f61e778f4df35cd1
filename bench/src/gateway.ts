import type { ChildProcess } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startNode, stopChild } from './children.ts';
import { benchConfig } from './people.ts';

const MAIN = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url));
const START_MS = 20_000;

export type BenchGateway = { child: ChildProcess; port: number; origin: string; stop(): Promise<void> };

/** The real gateway, one process. Only the limits per sender are raised. */
export async function startGateway(
  /** `publicPort`: the port of the public address, if it is another gateway's. */
  settings: { databaseUrl: string; natsUrl: string; port: number; publicPort?: number },
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
  });
  await listens(child, settings.port);
  return { child, port: settings.port, origin: publicUrl, stop: () => stopChild(child) };
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

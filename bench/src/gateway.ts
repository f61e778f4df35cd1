import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { answers } from '../../tools/answers.ts';
import { freePortRange } from '../../tools/freePorts.ts';
import { benchConfig } from './people.ts';
import { childrenOf, startNode, stopChild } from './processes.ts';
import type { BenchDatabase, Engines } from './stage.ts';

const MAIN = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url));

export type BenchGateway = {
  /** With several gateways, it only supervises them. */
  child: ChildProcess;
  /** The processes that serve. */
  pids: number[];
  port: number;
  origin: string;
  stop(): Promise<void>;
};

export type GatewaySettings = {
  engines: Engines;
  database: BenchDatabase;
  /** By default any free one. */
  port?: number;
  /** The port of the public address, if it is another gateway's. */
  publicPort?: number;
  /** So many processes on the port. Their private ports are the next ones. */
  gateways?: number | undefined;
  /** Flags for its Node, such as --cpu-prof. */
  nodeFlags?: readonly string[] | undefined;
};

/** The real gateway. Only the limits per sender are raised. */
export async function startGateway(settings: GatewaySettings): Promise<BenchGateway> {
  const { engines, database, gateways, nodeFlags = [] } = settings;
  const port = settings.port ?? (await freePortRange(1 + (gateways ?? 0)));
  const { secret, publicUrl } = benchConfig(settings.publicPort ?? port);
  const child = startNode([...nodeFlags, MAIN], {
    PATH: process.env.PATH,
    DATABASE_URL: database.url,
    NATS_URL: engines.natsUrl,
    PORT: String(port),
    PUBLIC_URL: publicUrl,
    SECRET: secret,
    LOG_LEVEL: 'fatal',
    SECURITY_LOG: 'off',
    RUN_JOBS: 'false',
    SEND_BURST: '100000',
    LIMIT_FACTOR: '1000',
    SEND_PER_SECOND: '100000',
    ...(gateways !== undefined && { GATEWAYS: String(gateways), PRIVATE_PORT: String(port + 1) }),
  });
  const ended = (): boolean => child.exitCode !== null;
  await answers(`http://127.0.0.1:${port}/brand`, ended);
  for (let number = 1; number <= (gateways ?? 0); number += 1)
    await answers(`http://127.0.0.1:${port + number}/readyz`, ended);
  const { pid = 0 } = child;
  const pids = (gateways ?? 1) > 1 ? childrenOf(pid) : [pid];
  return { child, pids, port, origin: publicUrl, stop: () => stopChild(child) };
}

export async function withGateway<T>(
  settings: GatewaySettings,
  work: (gateway: BenchGateway) => Promise<T>,
): Promise<T> {
  const gateway = await startGateway(settings);
  try {
    return await work(gateway);
  } finally {
    await gateway.stop();
  }
}

/** The parsed answer, and the milliseconds from the request to its last byte. */
export async function timedGet<T>(
  { origin }: BenchGateway,
  token: string,
  path: string,
): Promise<{ ms: number; body: T }> {
  const startedAt = performance.now();
  const response = await fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${token}` } });
  const text = await response.text();
  const ms = performance.now() - startedAt;
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
  return { ms, body: JSON.parse(text) as T };
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { compileCache } from '../../../tools/compileCache.ts';

const PROGRAMS = { gateway: 'main.ts', worker: 'jobs/worker.ts', cli: 'cli.ts' };
const STARTS_WITHIN_MS = 120_000;

type LogLine = { msg?: string; url?: string; gateway?: number; reason?: string };

export type ProductProcess = {
  /** Everything that it wrote to either stream. */
  output(): string;
  /** The messages of its log lines, in order. */
  events(): string[];
  /** The log lines with this message, of all gateways or of one. */
  linesOf(event: string, gateway?: number): LogLine[];
  waitFor(event: string, gateway?: number): Promise<void>;
  /** The URL that it logged last with this event. */
  urlOf(event: string, gateway?: number): string;
  pid: number;
  /** Sends a request to the private port. */
  ask(path: string, init?: RequestInit): Promise<{ status: number; body: string; headers: Headers }>;
  signal(name: NodeJS.Signals): void;
  /** Resolves when it ends by itself. */
  ended: Promise<unknown>;
  /** Stops it and waits for its end. */
  stop(): Promise<[code: number | null, signal: string | null]>;
};

/** The gateway or worker as shipped, in a separate process; with a private port, unless PRIVATE_PORT is empty. */
export async function startProduct(
  program: keyof typeof PROGRAMS,
  env: Record<string, string>,
  args: string[] = [],
): Promise<ProductProcess> {
  const path = fileURLToPath(new URL(`../../src/${PROGRAMS[program]}`, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], {
    env: {
      ...compileCache,
      SECRET: 'a secret for tests, long enough to pass',
      PORT: '0',
      PRIVATE_PORT: '0',
      ALLOW_UNSAFE_DATABASE: 'true',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Not 'exit', which may come before the last output.
  const ended = once(child, 'close') as Promise<[number | null, string | null]>;
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  }
  const output = (): string => chunks.join('');
  const lines = (): LogLine[] =>
    output()
      .split('\n')
      // The last one is empty or incomplete.
      .slice(0, -1)
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
  const linesOf = (event: string, gateway?: number): LogLine[] =>
    lines().filter((line) => line.msg === event && (gateway === undefined || line.gateway === gateway));
  const urlOf = (event: string, gateway?: number): string => linesOf(event, gateway).at(-1)?.url ?? '';
  const until = (event: string, isReached: () => boolean): Promise<void> =>
    vi.waitFor(
      () => {
        if (!isReached()) throw new Error(`not yet ${event}: ${output()}`);
      },
      { timeout: STARTS_WITHIN_MS, interval: 50 },
    );
  const product: ProductProcess = {
    output,
    events: () => lines().map((line) => line.msg ?? ''),
    linesOf,
    urlOf,
    pid: child.pid ?? 0,
    waitFor: (event, gateway) => until(event, () => linesOf(event, gateway).length > 0),
    async ask(at, init) {
      const response = await fetch(urlOf('private port') + at, init);
      return { status: response.status, body: await response.text(), headers: response.headers };
    },
    ended,
    signal: (name) => void child.kill(name),
    async stop() {
      child.kill('SIGTERM');
      return await ended;
    },
  };
  // A process that cannot start may end before.
  if (env.PRIVATE_PORT !== '')
    await until('private port', () => linesOf('private port').length > 0 || child.exitCode !== null);
  return product;
}

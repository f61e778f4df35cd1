import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const STARTS_WITHIN_MS = 60_000;
const AN_HOUR_AHEAD = new URL('./clockAnHourAhead.ts', import.meta.url).href;

type Options = {
  name: string;
  port: number;
  /** What says that it serves; without it, the public profile does. */
  readyUrl?: string;
  /** What runs; without it, the gateway. */
  entry?: string;
  /** The folder whose `server/src/main.ts` runs: the checkout, or a sabotaged copy of it. */
  build: string;
  env: Record<string, string>;
  clockAnHourAhead: boolean;
};

/** The product as it is shipped, in a process that can be killed, stopped and started again. */
export class GatewayProcess {
  readonly name: string;
  readonly port: number;
  /** What it said before it ended without having been asked to. */
  readonly unexpectedEnds: string[] = [];
  readonly #options: Options;
  #child: ChildProcess | undefined;

  constructor(options: Options) {
    this.name = options.name;
    this.port = options.port;
    this.#options = options;
  }

  /** Another release of the product, from the next start on. */
  takeBuild(build: string): void {
    this.#options.build = build;
  }

  async start(): Promise<void> {
    await this.launch()();
  }

  /** Starts it and answers with the way to wait until it serves. */
  launch(): () => Promise<void> {
    const { build, env, port, clockAnHourAhead, entry = 'server/src/main.ts' } = this.#options;
    const preload = clockAnHourAhead ? ['--import', AN_HOUR_AHEAD] : [];
    const child = spawn(process.execPath, [...preload, join(build, entry)], {
      cwd: build,
      env: { PATH: process.env.PATH ?? '', ...env, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    living.add(child);
    let said = '';
    const listen = (bytes: Buffer): void => {
      said = (said + bytes.toString()).slice(-4_000);
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.once('exit', (code, signal) => {
      living.delete(child);
      if (this.#child !== child) return;
      this.#child = undefined;
      this.unexpectedEnds.push(`${this.name} ended by itself (${signal ?? code}): ${said}`);
      // As whatever runs it in production would.
      if (this.unexpectedEnds.length < 10) this.start().catch(() => {});
    });
    return () => this.#answers(child, () => said);
  }

  async #answers(child: ChildProcess, said: () => string): Promise<void> {
    const deadline = performance.now() + STARTS_WITHIN_MS;
    while (performance.now() < deadline && child.exitCode === null && child.signalCode === null) {
      const answer = await fetch(this.#options.readyUrl ?? `http://127.0.0.1:${this.port}/brand`, {
        signal: AbortSignal.timeout(2_000),
      }).catch(() => undefined);
      if (answer?.ok) return;
      await sleep(25);
    }
    throw new Error(`${this.name} did not start: ${said()}`);
  }

  /** As a power cut does: nothing is said, nothing is finished. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((done) => child.once('exit', done));
    child.kill('SIGKILL');
    await gone;
  }

  /** Asks it to stop, as whoever runs it does before an upgrade; null if it had to be killed after all. */
  async terminate(withinMs: number): Promise<{ code: number | null; tookMs: number }> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined) throw new Error(`${this.name} does not run`);
    const began = performance.now();
    const gone = new Promise<number | null>((done) => child.once('exit', (code) => done(code)));
    child.kill('SIGTERM');
    const force = setTimeout(() => child.kill('SIGKILL'), withinMs);
    const code = await gone;
    clearTimeout(force);
    return { code, tookMs: Math.round(performance.now() - began) };
  }

  pause(): void {
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }
}

const living = new Set<ChildProcess>();

/** However this program ends, no gateway outlives it. */
export function killGateways(): void {
  for (const child of living) child.kill('SIGKILL');
}

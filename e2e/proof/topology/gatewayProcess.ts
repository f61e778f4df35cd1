import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { compileCache } from '../../../tools/compileCache.ts';

const AGAIN_AFTER_MS = 500;
const STARTS_WITHIN_MS = 120_000;
const WRONG_CLOCK = new URL('./wrongClock.ts', import.meta.url).href;
const ROOT = resolve(import.meta.dirname, '../../..');

export const HOUR_MS = 60 * 60 * 1_000;

export type ProcessOptions = {
  name: string;
  port: number;
  /** The path that answers when it is ready. Default: the public profile. */
  readyUrl?: string;
  /** The program. Default: the gateway. */
  entry?: string;
  /** The folder to run. Default: the checkout. */
  build?: string;
  env: Record<string, string>;
  /** How far its clock is ahead. */
  aheadMs?: number;
};

/** A process of the product that can be killed, paused and restarted. */
export class GatewayProcess {
  readonly name: string;
  readonly port: number;
  /** Its output, each time it ended unexpectedly. */
  readonly unexpectedEnds: string[] = [];
  readonly #options: ProcessOptions;
  #child: ChildProcess | undefined;
  /** It may end before it is ready, because the database does not answer. Then it is started again. */
  #mayNotStart = false;

  constructor(options: ProcessOptions) {
    this.name = options.name;
    this.port = options.port;
    this.#options = { ...options };
  }

  /** Undefined while it does not run. */
  pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Uses another release or clock from the next start on. */
  change(options: Pick<ProcessOptions, 'build' | 'aheadMs'>): void {
    Object.assign(this.#options, options);
  }

  async start(): Promise<void> {
    await this.launch()();
  }

  /** Starts it like a supervisor in production: again until the database accepts it. */
  async startUntilReady(withinMs: number): Promise<void> {
    const deadline = performance.now() + withinMs;
    this.#mayNotStart = true;
    try {
      for (;;) {
        const failed = await this.start().then(
          () => undefined,
          (error: Error) => error,
        );
        if (failed === undefined) return;
        if (performance.now() > deadline) throw failed;
        await this.kill();
        await sleep(AGAIN_AFTER_MS);
      }
    } finally {
      this.#mayNotStart = false;
    }
  }

  /** Starts it. Returns a function that waits until it is ready. */
  launch(): () => Promise<void> {
    const { build = ROOT, env, port, aheadMs = 0, entry = 'server/src/main.ts' } = this.#options;
    const preload = aheadMs === 0 ? [] : ['--import', WRONG_CLOCK];
    const child = spawn(process.execPath, [...preload, join(build, entry)], {
      cwd: build,
      env: {
        ...compileCache,
        PATH: process.env.PATH ?? '',
        ...env,
        PORT: String(port),
        CLOCK_AHEAD_MS: String(aheadMs),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    living.add(child);
    let output = '';
    const listen = (bytes: Buffer): void => {
      output = (output + bytes.toString()).slice(-4_000);
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.once('exit', (code, signal) => {
      living.delete(child);
      if (this.#child !== child) return;
      this.#child = undefined;
      if (this.#mayNotStart) return;
      this.unexpectedEnds.push(`${this.name} ended by itself (${signal ?? code}): ${output}`);
      // Like a supervisor in production.
      if (this.unexpectedEnds.length < 10) this.start().catch(() => {});
    });
    return () => this.#answers(child, () => output);
  }

  async #answers(child: ChildProcess, output: () => string): Promise<void> {
    const deadline = performance.now() + STARTS_WITHIN_MS;
    while (performance.now() < deadline && child.exitCode === null && child.signalCode === null) {
      const answer = await fetch(this.#options.readyUrl ?? `http://127.0.0.1:${this.port}/brand`, {
        signal: AbortSignal.timeout(2_000),
      }).catch(() => undefined);
      if (answer?.ok) return;
      await sleep(25);
    }
    throw new Error(`${this.name} did not start: ${output()}`);
  }

  /** Kills it without a chance to finish, like a power cut. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((done) => child.once('exit', done));
    child.kill('SIGKILL');
    await gone;
  }

  /** Stops it, as before an upgrade. The code is null if it had to be killed. */
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

  /** The highest memory since its start, in MB. */
  peakMemory(): number {
    const status = readFileSync(`/proc/${this.pid()}/status`, 'utf8');
    return Math.round(Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) / 1_024);
  }

  pause(): void {
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }
}

const living = new Set<ChildProcess>();

/** Called at exit, so that no gateway keeps running. */
export function killGateways(): void {
  for (const child of living) child.kill('SIGKILL');
}

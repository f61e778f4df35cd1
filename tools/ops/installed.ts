// Runs what an image would run, from its files, as a user who owns none of them.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from './dockerfile.ts';

const STARTS_WITHIN_MS = 60_000;

export type Program = { name: string; args: string[]; environment: Record<string, string> };

export class Installed {
  readonly image: string;
  readonly stage: Stage;
  /** Empty for who is not root: they are nobody special already. */
  readonly user: { uid?: number; gid?: number };
  readonly #running = new Set<ChildProcess>();

  constructor(image: string, stage: Stage) {
    this.image = image;
    this.stage = stage;
    const [uid, gid] = (stage.user ?? '').split(':').map(Number);
    if (!uid || !gid) throw new Error('The Dockerfile names no user by number, or names root.');
    this.user = process.getuid?.() === 0 ? { uid, gid } : {};
    // Also when this program ends by a mistake of its own.
    process.once('exit', () => this.kill());
  }

  /** A path of the image as it is on this machine. */
  path(inImage: string): string {
    return join(this.image, inImage);
  }

  /** The image's own settings, and nothing of ours. */
  environment(more: Record<string, string>): Record<string, string> {
    const { MEDIA_ROOT = '', HOME = '', ...rest } = this.stage.environment;
    return { ...rest, MEDIA_ROOT: this.path(MEDIA_ROOT), HOME: this.path(HOME), ...more };
  }

  /** A command that ends by itself; what it printed. */
  run(
    args: string[],
    environment: Record<string, string>,
    input = '',
  ): { status: number | null; out: string; err: string } {
    const { status, stdout, stderr } = spawnSync(this.#node(), args, {
      ...this.#where(environment),
      encoding: 'utf8',
      input,
      timeout: STARTS_WITHIN_MS,
    });
    return { status, out: stdout, err: stderr };
  }

  start({ name, args, environment }: Program): Running {
    const child = spawn(this.#node(), args, {
      ...this.#where(environment),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#running.add(child);
    child.once('exit', () => this.#running.delete(child));
    return new Running(name, child);
  }

  /** However the step ends, nothing outlives it. */
  kill(): void {
    for (const child of this.#running) child.kill('SIGKILL');
  }

  #node(): string {
    return this.path(this.stage.entrypoint[0] ?? '');
  }

  #where(environment: Record<string, string>) {
    return { cwd: this.path('/app'), env: this.environment(environment), ...this.user };
  }
}

export class Running {
  readonly name: string;
  said = '';
  readonly #child: ChildProcess;

  constructor(name: string, child: ChildProcess) {
    this.name = name;
    this.#child = child;
    const listen = (bytes: Buffer): void => {
      this.said = (this.said + bytes.toString()).slice(-20_000);
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
  }

  async answers(url: string, status = 200): Promise<Response> {
    const deadline = performance.now() + STARTS_WITHIN_MS;
    let last = 'nothing';
    while (performance.now() < deadline && this.#child.exitCode === null) {
      try {
        const answer = await fetch(url, { signal: AbortSignal.timeout(3_000) });
        if (answer.status === status) return answer;
        last = `${answer.status} ${await answer.text()}`;
      } catch {
        last = 'nothing';
      }
      await sleep(50);
    }
    throw new Error(`${this.name} answered ${last} at ${url}, not ${status}. It said:\n${this.said}`);
  }

  /** Asked as its supervisor would; how long it took, once it ended with 0. */
  async stop(signal: NodeJS.Signals, withinMs: number): Promise<number> {
    if (this.#child.exitCode !== null) throw new Error(`${this.name} had ended already:\n${this.said}`);
    const began = performance.now();
    const gone = once(this.#child, 'exit', { signal: AbortSignal.timeout(withinMs) });
    this.#child.kill(signal);
    const late = [`not within ${withinMs} ms`];
    const [code, by] = (await gone.catch(() => late)) as [code: number | string | null, signal?: string];
    if (code !== 0) throw new Error(`${this.name} ended: ${code ?? by}. It said:\n${this.said}`);
    return performance.now() - began;
  }
}

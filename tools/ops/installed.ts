// Runs the programs of an image from its files, as a user who owns none of them.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Image } from './image.ts';

const START_TIMEOUT_MS = 60_000;
type Environment = Record<string, string>;

export class Installed {
  readonly settings: Image;
  /** Empty if this process is not root. */
  readonly user: { uid?: number; gid?: number };
  readonly #folder: string;
  readonly #running = new Set<ChildProcess>();

  constructor(folder: string, settings: Image) {
    this.#folder = folder;
    this.settings = settings;
    const [uid, gid] = settings.user.split(':').map(Number);
    if (!uid || !gid) throw new Error('The Dockerfile names no user by number, or names root.');
    this.user = process.getuid?.() === 0 ? { uid, gid } : {};
    process.once('exit', () => this.kill());
  }

  /** The location of a path of the image on this machine. */
  path(inImage: string): string {
    return join(this.#folder, inImage);
  }

  /** Runs a command to its end. */
  run(args: string[], environment: Environment, input = '') {
    const { status, stdout, stderr } = spawnSync(this.path(this.settings.entrypoint[0] ?? ''), args, {
      ...this.#options(environment),
      ...{ encoding: 'utf8', input, timeout: START_TIMEOUT_MS },
    });
    return { status, out: stdout, err: stderr };
  }

  start(name: string, args: string[], environment: Environment): Running {
    const child = spawn(this.path(this.settings.entrypoint[0] ?? ''), args, this.#options(environment));
    this.#running.add(child);
    child.once('exit', () => this.#running.delete(child));
    return new Running(name, child);
  }

  kill(): void {
    for (const child of this.#running) child.kill('SIGKILL');
  }

  /** Only the environment of the image and the given one. */
  #options(environment: Environment) {
    const { MEDIA_ROOT = '', HOME = '', ...rest } = this.settings.environment;
    const env = { ...rest, MEDIA_ROOT: this.path(MEDIA_ROOT), HOME: this.path(HOME), ...environment };
    return { cwd: this.path('/app'), env, ...this.user };
  }
}

export class Running {
  readonly name: string;
  #output = '';
  readonly #child: ChildProcess;

  constructor(name: string, child: ChildProcess) {
    this.name = name;
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (bytes: Buffer) => {
        this.#output = (this.#output + bytes.toString()).slice(-20_000);
      });
    }
  }

  /** The body of the first successful answer. */
  async waitFor(url: string): Promise<string> {
    const deadline = performance.now() + START_TIMEOUT_MS;
    let last = 'nothing';
    while (performance.now() < deadline && this.#child.exitCode === null) {
      const response = await get(url).catch(() => undefined);
      if (response?.ok) return response.text;
      last = response === undefined ? 'nothing' : `${response.status} ${response.text}`;
      await sleep(50);
    }
    throw new Error(`${this.name} answered ${last} at ${url}. Its output:\n${this.#output}`);
  }

  /** Returns the milliseconds until the process ended with 0. */
  async stop(signal: NodeJS.Signals, withinMs: number): Promise<number> {
    if (this.#child.exitCode !== null) throw new Error(`${this.name} had already ended:\n${this.#output}`);
    const started = performance.now();
    const exit = once(this.#child, 'exit', { signal: AbortSignal.timeout(withinMs) });
    this.#child.kill(signal);
    const [code, by] = (await exit.catch(() => [`not within ${withinMs} ms`])) as [
      code: number | string | null,
      signal?: string,
    ];
    if (code !== 0) throw new Error(`${this.name} ended: ${code ?? by}. Its output:\n${this.#output}`);
    return performance.now() - started;
  }
}

async function get(url: string): Promise<{ ok: boolean; status: number; text: string }> {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
  return { ok: response.ok, status: response.status, text: await response.text() };
}

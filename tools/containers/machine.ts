// A container that stands for a machine of an operator, with the repository at /repository.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attempt, podman, type Result, run } from './tools.ts';

type Mounts = Record<string, [from: string, mode: 'ro' | 'rw']>;
type Start = { image: string; mounts?: Mounts; options?: string[]; command: string[] };

export class Machine {
  readonly name: string;
  readonly #folder: string;

  constructor(name: string, checkout: string) {
    this.name = `settee-${name}-${process.pid}`;
    this.#folder = mkdtempSync(join(tmpdir(), 'settee-machine-'));
    // Only what is committed, as everywhere else.
    run('git', [
      'clone',
      '--quiet',
      '--bare',
      '--depth=1',
      `file://${checkout}`,
      this.inFolder('repository'),
    ]);
  }

  /** The folder is removed together with the machine. */
  inFolder(path: string): string {
    return join(this.#folder, path);
  }

  start({ image, mounts = {}, options = [], command }: Start): void {
    const all: Mounts = { ...mounts, '/repository': [this.inFolder('repository'), 'ro'] };
    podman(
      ...['run', '--detach', '--name', this.name, '--privileged'],
      // Somebody else owns the repository.
      ...['--env=GIT_CONFIG_COUNT=1', '--env=GIT_CONFIG_KEY_0=safe.directory', '--env=GIT_CONFIG_VALUE_0=*'],
      ...Object.entries(all).flatMap(([to, [from, mode]]) => ['--volume', `${from}:${to}:${mode}`]),
      ...[...options, image, ...command],
    );
  }

  get address(): string {
    return podman('inspect', '--format', '{{.NetworkSettings.IPAddress}}', this.name).trim();
  }

  attempt(lines: string, { minutes = 5, input = '' } = {}): Result {
    return attempt('podman', ['exec', '--interactive', '--workdir=/root', this.name, 'bash', '-euc', lines], {
      ...{ minutes, input },
    });
  }

  run(lines: string, options: { minutes?: number; input?: string } = {}): string {
    const { status, out, err } = this.attempt(lines, options);
    if (status !== 0) throw new Error(`On the machine, this ended with ${status}:\n${lines}\n${out}\n${err}`);
    return out;
  }

  copy(from: string, to: string): void {
    podman('cp', from, `${this.name}:${to}`);
  }

  remove(): void {
    attempt('podman', ['rm', '--force', '--time=0', '--volumes', this.name]);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

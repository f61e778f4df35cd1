import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { FOLDER, give } from './folder.ts';

/** More than a run needs. The file grows only as it is used. */
const SIZE = '12G';

/** A file system of its own in a file, so that it can become full. */
export class Disk {
  readonly folder: string;
  readonly #image: string;
  readonly #filler: string;

  constructor(name: string) {
    this.folder = join(FOLDER, name);
    this.#image = `${this.folder}.img`;
    this.#filler = join(this.folder, 'filler');
  }

  /** Empty, also if an earlier run was killed. */
  mount(): void {
    this.unmount();
    mkdirSync(this.folder, { recursive: true });
    execFileSync('truncate', ['--size', SIZE, this.#image]);
    execFileSync('mkfs.ext4', ['-q', '-m', '0', this.#image]);
    asRoot('mount', '-o', 'loop,noatime', this.#image, this.folder);
    if (process.getuid?.() === 0) give(this.folder);
    else asRoot('chown', String(process.getuid?.()), this.folder);
  }

  unmount(): void {
    while (readFileSync('/proc/mounts', 'utf8').includes(` ${this.folder} `)) asRoot('umount', this.folder);
    rmSync(this.#image, { force: true });
  }

  /** Takes all space. Returns the bytes that are left. */
  fill(): number {
    // It asks for more than there is, gets the rest, and fails.
    spawnSync('fallocate', ['--length', SIZE, this.#filler]);
    const { bavail, bsize } = statfsSync(this.folder);
    return bavail * bsize;
  }

  free(): void {
    rmSync(this.#filler, { force: true });
  }
}

function asRoot(...command: string[]): void {
  const [program = '', ...args] = process.getuid?.() === 0 ? command : ['sudo', '-n', ...command];
  execFileSync(program, args);
}

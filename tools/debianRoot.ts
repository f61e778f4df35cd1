// A root directory of Debian packages, built once and cached. The packages of the machine do not change, and the
// versions stay the same until you delete the folder.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { onPath } from './engines/program.ts';

type Options = {
  /** By default Debian's development release: the only one with the current versions. */
  suite?: string;
  /** Of mmdebstrap. `extract` has only the files of the packages and their libraries. */
  variant?: 'minbase' | 'extract';
};

/** Builds the root if it is missing, and throws if that fails. `bwrap` can then start programs in it. */
export function buildDebianRoot(
  root: string,
  packages: readonly string[],
  names: string,
  { suite = 'sid', variant = 'minbase' }: Options = {},
): void {
  needed('bwrap', 'bubblewrap');
  if (existsSync(root)) return;
  needed('mmdebstrap', 'mmdebstrap', 'debian-archive-keyring');
  mkdirSync(dirname(root), { recursive: true });
  // The rename is atomic, so an interrupted build leaves no root.
  const draft = `${root}.${process.pid}.new`;
  process.stderr.write(`installing ${names}; this takes some minutes, once …\n`);
  try {
    run('mmdebstrap', [
      // The release file of the development release may have expired on a mirror. Its signature is still checked.
      '--aptopt=Acquire::Check-Valid-Until "false"',
      `--variant=${variant}`,
      `--include=${packages.join(',')}`,
      suite,
      draft,
      ...mirror(),
    ]);
    // Another process may have been faster.
    if (!existsSync(root)) renameSync(draft, root);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** The version of a package in a root, without Debian's part: 159.0. */
export function debianVersion(root: string, name: string): string {
  const status = readFileSync(`${root}/var/lib/dpkg/status`, 'utf8');
  const version = new RegExp(`^Package: ${name}\\n(?:.+\\n)*?Version: (.+)$`, 'm').exec(status)?.[1] ?? '';
  return version.replace(/^\d+:|-[^-]*$/g, '');
}

/** The mirror that this machine uses for Debian. Elsewhere, mmdebstrap has a default. */
function mirror(): string[] {
  try {
    const format = ['indextargets', 'Created-By: Packages', 'Label: Debian', '--format', '$(REPO_URI)'];
    return execFileSync('apt-get', format, { encoding: 'utf8' }).split('\n').filter(Boolean).slice(0, 1);
  } catch {
    return [];
  }
}

/** Installs Debian packages if the program is missing. */
export function needed(program: string, ...packages: string[]): void {
  if (onPath(program) !== undefined) return;
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  for (const command of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const [first = '', ...rest] = [...asRoot, 'apt-get', ...command];
    run(first, rest);
  }
}

function run(program: string, args: string[]): void {
  const { status, error } = spawnSync(program, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (status !== 0)
    throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? `exit code ${status}`}`);
}

// A Debian root directory with Firefox and WebKitGTK, built once and cached. The packages of the machine do not change,
// and the versions stay the same until you delete the folder. `node e2e/browsers/root.ts` builds it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onPath } from '../../tools/engines/program.ts';
import { cacheFolder } from '../../tools/engines/state.ts';

/** Debian's development release: the only one with the current Firefox instead of an extended support release. */
const SUITE = 'sid';
const PACKAGES = [
  'firefox',
  'webkitgtk-webdriver',
  'xvfb',
  'xauth',
  'dbus',
  'dbus-daemon',
  // The same as Chromium's on the machines of CI.
  'fonts-liberation',
  'fonts-noto-color-emoji',
  'fonts-dejavu-core',
];

/** A new number builds a new root, for example after a change of the packages. */
export const ROOT = join(cacheFolder(), 'browsers-2');

/** The path of the root. Builds it if it is missing, and throws if that fails. */
export function browserRoot(): string {
  needed('bwrap', 'bubblewrap');
  if (existsSync(ROOT)) return ROOT;
  needed('mmdebstrap', 'mmdebstrap', 'debian-archive-keyring');
  mkdirSync(dirname(ROOT), { recursive: true });
  // The rename is atomic, so an interrupted build leaves no root.
  const draft = `${ROOT}.${process.pid}.new`;
  process.stderr.write('browsers: installing Firefox and WebKitGTK; this takes some minutes, once …\n');
  try {
    run('mmdebstrap', [
      // The release file of the development release may have expired on a mirror. Its signature is still checked.
      '--aptopt=Acquire::Check-Valid-Until "false"',
      '--variant=minbase',
      `--include=${PACKAGES.join(',')}`,
      SUITE,
      draft,
    ]);
    // Another process may have been faster.
    if (!existsSync(ROOT)) renameSync(draft, ROOT);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return ROOT;
}

/** Installs Debian packages if the program is missing. */
function needed(program: string, ...packages: string[]): void {
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

/** The version of a package in the root, without Debian's part: 159.0. */
export function versionOf(name: string): string {
  const status = readFileSync(join(browserRoot(), 'var/lib/dpkg/status'), 'utf8');
  const version = new RegExp(`^Package: ${name}\\n(?:.+\\n)*?Version: (.+)$`, 'm').exec(status)?.[1] ?? '';
  return version.replace(/^\d+:|-[^-]*$/g, '');
}

if (import.meta.main) {
  browserRoot();
  process.stdout.write(`  Firefox ${versionOf('firefox')}, WebKitGTK ${versionOf('webkitgtk-webdriver')}\n`);
}

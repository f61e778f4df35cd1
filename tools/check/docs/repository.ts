// What a page may refer to: files, scripts, commands with their options, calls and settings.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { calls } from '../../../protocol/src/calls/http.ts';
import { keys } from '../../../server/src/config/config.ts';
import { steps } from '../steps.ts';

export const root = join(import.meta.dirname, '../../..');

export type Repository = {
  files: string[];
  folders: Set<string>;
  scripts: Set<string>;
  /** The commands of the command line, with their options. */
  commands: Map<string, Set<string>>;
  /** 'GET /queue', with {} for each parameter. */
  calls: Set<string>;
  settings: Set<string>;
  /** Names in capitals in the product's code. */
  constants: Set<string>;
  steps: Set<string>;
};

export function readRepository(): Repository {
  const files = git('ls-files', '-co', '--exclude-standard').filter((file) => existsSync(join(root, file)));
  const folders = new Set<string>();
  for (const file of files) {
    const parts = file.split('/');
    for (let depth = 1; depth < parts.length; depth++) folders.add(parts.slice(0, depth).join('/'));
  }
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  return {
    files,
    folders,
    scripts: new Set(Object.keys(scripts)),
    commands: readCommands(),
    calls: new Set(
      Object.values(calls).map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, '{}')}`),
    ),
    settings: new Set(Object.keys(keys).flatMap((key) => [key, `${key}_FILE`])),
    constants: new Set(
      git('grep', '-ohwE', '[A-Z][A-Z0-9]*(_[A-Z0-9]+)+', '--', 'protocol', 'server', 'web', 'ops'),
    ),
    steps: new Set(steps.map(({ name }) => name)),
  };
}

export function git(...args: string[]): string[] {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
}

/** Generated files are not in git, but a page may name them. */
export function isIgnored(path: string): boolean {
  try {
    execFileSync('git', ['check-ignore', '--no-index', path, `${path}/`], { cwd: root, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** From the help text of the command line. */
function readCommands(): Map<string, Set<string>> {
  const help = execFileSync(process.execPath, ['server/src/cli.ts', 'help'], { cwd: root, encoding: 'utf8' });
  const commands = new Map<string, Set<string>>();
  let options = new Set<string>();
  for (const line of help.split('\n')) {
    const option = /^ {6}--([\w-]+)/.exec(line)?.[1];
    if (option !== undefined) options.add(option);
    const command = /^ {2}([a-z][a-z -]*?) {2,}/.exec(line)?.[1];
    if (command === undefined) continue;
    options = new Set();
    commands.set(command, options);
  }
  return commands;
}

// A machine that has nothing but Node, as far as programs and caches go, and the README's own lines run on it.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const root = join(import.meta.dirname, '../..');
/** What the engines would otherwise be taken from, or built with. */
const NOT_THERE = /^(?:go|gofmt|docker|nats-server|weed|psql|postgres|pg_\w+|initdb|chromium.*)$/;

export type NewMachine = {
  folder: string;
  environment: NodeJS.ProcessEnv;
  /** Runs lines of shell to their end. */
  run(lines: string): void;
  /** Starts a line that goes on, and waits until it has printed this. */
  start(line: string, printed: RegExp, environment?: NodeJS.ProcessEnv): Promise<Running>;
  remove(): void;
};
export type Running = { output: () => string; stop(): Promise<void> };

export function newMachine(): NewMachine {
  const folder = mkdtempSync(join(tmpdir(), 'settee-readme-'));
  const programs = join(folder, 'bin');
  mkdirSync(programs);
  // The project's own Node is not there before `npm ci`.
  const path = (process.env.PATH ?? '').split(delimiter).filter((each) => !each.includes('node_modules'));
  for (const place of path) {
    for (const name of namesIn(place)) {
      if (NOT_THERE.test(name)) continue;
      try {
        symlinkSync(join(place, name), join(programs, name));
      } catch {
        // An earlier place on the PATH has one of that name.
      }
    }
  }
  const { DATABASE_URL, NATS_URL, S3_ENDPOINT, NODE_OPTIONS, ...rest } = process.env;
  const environment = {
    ...Object.fromEntries(
      Object.entries(rest).filter(([name]) => !/^(?:npm_(?!config)|VITEST|PLAYWRIGHT|SETTEE)/.test(name)),
    ),
    PATH: programs,
    XDG_CACHE_HOME: join(folder, 'cache'),
  };
  return {
    folder,
    environment,
    run(lines) {
      execFileSync('bash', ['-euc', lines], {
        cwd: folder,
        env: environment,
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    },
    start: (line, printed, more = {}) =>
      start(line, printed, { cwd: folder, env: { ...environment, ...more } }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function start(
  line: string,
  printed: RegExp,
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<Running> {
  // A group of its own, as a terminal gives each command, so that Ctrl+C reaches all of it.
  const child = spawn('bash', ['-euc', line], {
    ...options,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const take = (bytes: Buffer): void => {
    output += bytes.toString();
    if (printed.test(output)) resolve();
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  child.once('exit', (code) => reject(new Error(`${line} ended with ${code}:\n${output}`)));
  await promise;
  return { output: () => output, stop: () => interrupt(child) };
}

async function interrupt(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  const gone = new Promise((done) => child.once('exit', done));
  process.kill(-child.pid, 'SIGINT');
  await gone;
}

function namesIn(place: string): string[] {
  try {
    return readdirSync(place);
  } catch {
    return [];
  }
}

/** The lines of the README's shell block, of those under one heading. */
export function readmeBlock(heading: string, which: number): string[] {
  const page = readFileSync(join(root, 'README.md'), 'utf8');
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const block = [...section.matchAll(/```sh\n([\s\S]*?)```/g)][which]?.[1];
  if (block === undefined) throw new Error(`README.md has no block ${which} under ${heading}`);
  return block.trim().split('\n');
}

export const thisRepository = root;

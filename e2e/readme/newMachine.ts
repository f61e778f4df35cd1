// Imitates a machine with only Node installed and empty caches, and runs the commands of the README on it.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const root = join(import.meta.dirname, '../..');
/** Programs that would provide the engines or build them. */
const NOT_THERE = /^(?:go|gofmt|docker|nats-server|weed|psql|postgres|pg_\w+|initdb|chromium.*)$/;

export type NewMachine = {
  folder: string;
  environment: NodeJS.ProcessEnv;
  /** Runs shell commands until they exit. */
  run(lines: string): void;
  /** Starts a command that keeps running, and waits until its output matches. */
  start(line: string, printed: RegExp, environment?: NodeJS.ProcessEnv): Promise<Running>;
  remove(): void;
};
export type Running = { output: () => string; stop(): Promise<void> };

export function newMachine(): NewMachine {
  const folder = mkdtempSync(join(tmpdir(), 'settee-readme-'));
  const programs = join(folder, 'bin');
  mkdirSync(programs);
  // The Node in node_modules does not exist before `npm ci`.
  const path = (process.env.PATH ?? '').split(delimiter).filter((each) => !each.includes('node_modules'));
  for (const place of path) {
    for (const name of namesIn(place)) {
      if (NOT_THERE.test(name)) continue;
      try {
        symlinkSync(join(place, name), join(programs, name));
      } catch {
        // An earlier folder of the PATH has a program with this name.
      }
    }
  }
  const { DATABASE_URL, DATABASE_OWNER_URL, NATS_URL, S3_ENDPOINT, NODE_OPTIONS, ...rest } = process.env;
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
  // A separate process group, as in a terminal, so that Ctrl+C reaches every process.
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
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  // The shell can end before npm and its processes. With the last of them, the output ends.
  const gone = new Promise((done) => child.once('close', done));
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

/** The lines of one shell block of the README. */
export function readmeBlock(which: number): string[] {
  const page = readFileSync(join(root, 'README.md'), 'utf8');
  const block = [...page.matchAll(/```sh\n([\s\S]*?)```/g)][which]?.[1];
  if (block === undefined) throw new Error(`README.md has no block ${which}`);
  return block.trim().split('\n');
}

export const thisRepository = root;

// Older and newer releases, beside this checkout.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileCache } from '../../../tools/compileCache.ts';
import { cacheFolder } from '../../../tools/engines/state.ts';
import { type Build, linkPackages } from '../patch.ts';
import { GatewayProcess } from './gatewayProcess.ts';

type Ended = { code: number | null; output: string };

/** Runs `settee` of a release. Throws if the command fails. */
export async function settee(
  build: string,
  env: Record<string, string>,
  args: readonly string[],
  input = '',
): Promise<string> {
  const { code, output } = await trySettee(build, env, args, input);
  if (code !== 0) throw new Error(`settee ${args.join(' ')} ended with ${code}: ${output}`);
  return output;
}

export async function trySettee(
  build: string,
  env: Record<string, string>,
  args: readonly string[],
  input = '',
): Promise<Ended> {
  const child = spawn(process.execPath, [join(build, 'server/src/cli.ts'), ...args], {
    cwd: build,
    env: { ...compileCache, PATH: process.env.PATH ?? '', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (output += String(bytes)));
  child.stdin.end(input);
  return new Promise((done) => child.once('close', (code) => done({ code, output })));
}

const STOPS_WITHIN_MS = 60_000;

/** One release with its settings: its command line, its gateway and its worker. */
export class Release {
  readonly #build: string;
  readonly #env: Record<string, string>;
  readonly #ports: readonly number[];
  #running: GatewayProcess[] = [];

  constructor(build: string, env: Record<string, string>, ports: readonly number[]) {
    this.#build = build;
    this.#env = env;
    this.#ports = ports;
  }

  settee(args: readonly string[], input?: string): Promise<string> {
    return settee(this.#build, this.#env, args, input);
  }

  try(args: readonly string[]): ReturnType<typeof trySettee> {
    return trySettee(this.#build, this.#env, args);
  }

  async start(): Promise<void> {
    const [port = 0, ...privatePorts] = this.#ports;
    this.#running = ['server/src/main.ts', 'server/src/jobs/worker.ts'].map(
      (entry, at) =>
        new GatewayProcess({
          name: entry,
          port,
          readyUrl: `http://127.0.0.1:${privatePorts[at]}/readyz`,
          entry,
          build: this.#build,
          env: { ...this.#env, PRIVATE_PORT: String(privatePorts[at]) },
        }),
    );
    await Promise.all(this.#running.map((each) => each.start()));
  }

  async stop(): Promise<void> {
    for (const each of this.#running.splice(0)) {
      const { code } = await each.terminate(STOPS_WITHIN_MS);
      if (code !== 0) throw new Error(`${each.name} ended with ${code}`);
    }
  }

  async kill(): Promise<void> {
    await Promise.all(this.#running.map((each) => each.kill()));
  }
}

/** The newest release of this checkout, or the checkout if there is none. */
export function previousRelease(root: string): Build & { name: string } {
  const [tag] = newestTags(root);
  if (tag === undefined || tag === '') return { name: 'this checkout', build: root, remove() {} };
  const build = mkdtempSync(join(tmpdir(), 'settee-previous-'));
  unpack(root, tag, build, ['server', 'protocol', 'package.json']);
  linkPackages(root, build);
  return { name: tag, build, remove: () => rmSync(build, { recursive: true, force: true }) };
}

function newestTags(root: string): string[] {
  try {
    const args = ['tag', '--list', 'v*', '--sort=-version:refname'];
    return execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).split('\n');
  } catch {
    // A copy without git history has no releases.
    return [];
  }
}

/** 0.1.0 has no tag. This is the last commit whose changelog ends with it. */
const OLD = { version: '0.1.0', commit: 'fe03e251a302a1b033208150d7a98c32f0a4558f' };

/** The server of 0.1.0 with its own packages, kept in the cache. Needs the history of git. */
export function unpackOldRelease(checkout: string): string {
  const folder = join(cacheFolder(), `settee-${OLD.version}-${OLD.commit.slice(0, 12)}`);
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${process.pid}.new`;
  mkdirSync(draft, { recursive: true });
  try {
    unpack(checkout, OLD.commit, draft);
    // Scripts are not needed: packages with native code are already built.
    execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: draft,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}

function unpack(root: string, version: string, folder: string, paths: readonly string[] = []): void {
  let archive: Buffer;
  try {
    archive = execFileSync('git', ['archive', version, ...paths], {
      cwd: root,
      maxBuffer: 256 * 1_024 * 1_024,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch (error) {
    throw new Error(
      `This clone does not contain ${version}, so its upgrade cannot be tested. Get the whole history: git fetch --unshallow`,
      { cause: error },
    );
  }
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
}

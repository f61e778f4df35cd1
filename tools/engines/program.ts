// Finds a program on the PATH or in our cache, copies it from its Docker image, or builds its Go module.
import { execFile } from 'node:child_process';
import { accessSync, chmodSync, constants, mkdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from './state.ts';
import type { ProgramSource } from './versions.ts';

const run = promisify(execFile);

export function notice(text: string): void {
  // Not stdout, because a shell reads the output of `env`.
  process.stderr.write(`engines: ${text}\n`);
}

export async function findProgram(source: ProgramSource): Promise<string | undefined> {
  const installed = await findInstalled(source);
  if (installed !== undefined) return installed;

  const cached = cachedProgram(source);
  mkdirSync(dirname(cached), { recursive: true });
  // The rename is atomic, so an interrupted build leaves no program.
  const draft = `${cached}.${process.pid}.new`;
  try {
    if (!((await copyFromImage(source, draft)) || (await buildModule(source, draft)))) return undefined;
    chmodSync(draft, 0o755);
    renameSync(draft, cached);
    return cached;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Without a download or a build. */
export async function findInstalled(source: ProgramSource): Promise<string | undefined> {
  const cached = cachedProgram(source);
  return (await newEnoughOnPath(source)) ?? (isExecutable(cached) ? cached : undefined);
}

function cachedProgram(source: ProgramSource): string {
  const folder = `${source.name}-${source.version}-${process.platform}-${process.arch}`;
  return join(cacheFolder(), folder, source.name);
}

export function onPath(name: string): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function newEnoughOnPath(source: ProgramSource): Promise<string | undefined> {
  const file = onPath(source.name);
  if (file === undefined) return undefined;
  const [major, minor] = source.atLeast;
  try {
    const { stdout } = await run(file, source.versionArgs, { timeout: 60_000 });
    const found = /(\d+)\.(\d+)/.exec(stdout);
    const version = [Number(found?.[1]), Number(found?.[2])] as const;
    if (version[0] > major || (version[0] === major && version[1] >= minor)) return file;
    notice(`${file} is ${found?.[0] ?? 'of an unknown version'}, older than ${major}.${minor}. Ignoring it.`);
  } catch {
    notice(`${file} does not run. Ignoring it.`);
  }
  return undefined;
}

// Copies only the program, so that it can be paused and killed like any process. Images contain Linux programs.
async function copyFromImage(source: ProgramSource, target: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const docker = onPath('docker');
  if (docker === undefined) return false;
  try {
    await run(docker, ['info'], { timeout: 10_000 });
  } catch {
    return false;
  }
  notice(`copying ${source.name} from the image ${source.image}; this can take a minute …`);
  try {
    const { stdout } = await run(docker, ['create', source.image, source.name]);
    const container = stdout.trim().split('\n').at(-1) ?? '';
    try {
      await run(docker, ['cp', '-L', `${container}:${source.imagePath}`, target]);
    } finally {
      await run(docker, ['rm', container]);
    }
    return true;
  } catch (error) {
    notice(`Docker could not provide ${source.name}: ${reason(error)}`);
    return false;
  }
}

// Builds inside the module with its own go.mod and go.sum, so every dependency has a known hash.
async function buildModule(source: ProgramSource, target: string): Promise<boolean> {
  const go = onPath('go');
  if (go === undefined) return false;
  notice(`building ${source.name} ${source.version} with Go; this can take several minutes, once …`);
  try {
    const { stdout } = await run(go, ['mod', 'download', '-json', `${source.module}@${source.version}`], {
      maxBuffer: 1 << 24,
    });
    const module = JSON.parse(stdout) as { Dir: string; Sum: string };
    if (module.Sum !== source.sum) {
      throw new Error(`the module has the hash ${module.Sum}, not ${source.sum}`);
    }
    const flags = ['-mod=readonly', '-buildvcs=false', '-trimpath', '-ldflags=-s -w'];
    await run(go, ['build', ...flags, '-o', target, source.package], {
      ...{ cwd: module.Dir, env: { ...process.env, GOWORK: 'off' }, maxBuffer: 1 << 24 },
    });
    return true;
  } catch (error) {
    notice(`Go could not build ${source.name}: ${reason(error)}`);
    return false;
  }
}

function reason(error: unknown): string {
  const stderr = (error as { stderr?: string }).stderr?.trim();
  const text = stderr !== undefined && stderr !== '' ? stderr : String((error as Error).message);
  return text.split('\n').slice(-5).join('\n');
}

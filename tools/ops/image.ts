// Builds the Dockerfile without Docker: in folders instead of images.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, matchesGlob } from 'node:path';

type Stage = { name: string; instructions: { word: string; rest: string }[] };

export type Image = {
  environment: Record<string, string>;
  user: string;
  stopSignal: string;
  entrypoint: string[];
  command: string[];
  healthCheck: string[];
};

const BUILD = ['FROM', 'WORKDIR', 'COPY', 'RUN'];
const SETTINGS = ['ENV', 'USER', 'STOPSIGNAL', 'ENTRYPOINT', 'CMD', 'HEALTHCHECK', 'LABEL', 'EXPOSE'];

function readStages(checkout: string): Stage[] {
  const lines = readFileSync(join(checkout, 'Dockerfile'), 'utf8')
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: Stage[] = [];
  for (const line of lines) {
    const [, word = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
    if (![...BUILD, ...SETTINGS].includes(word)) throw new Error(`tools/ops/image.ts does not know ${word}.`);
    if (word === 'FROM') stages.push({ name: rest.split(/\s+/)[2] ?? '', instructions: [] });
    else stages.at(-1)?.instructions.push({ word, rest });
  }
  return stages;
}

/** The settings of the last stage. */
export function readImage(checkout: string): Image {
  const instructions = readStages(checkout).at(-1)?.instructions ?? [];
  const last = (word: string): string => instructions.findLast((each) => each.word === word)?.rest ?? '';
  // Only the JSON form: the image has no shell.
  const list = (word: string): string[] => JSON.parse(/\[.*\]/.exec(last(word))?.[0] ?? '[]') as string[];
  const environment = instructions
    .filter(({ word }) => word === 'ENV')
    .flatMap(({ rest }) => [...rest.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name, value]));
  return {
    environment: Object.fromEntries(environment) as Record<string, string>,
    user: last('USER'),
    stopSignal: last('STOPSIGNAL'),
    entrypoint: list('ENTRYPOINT'),
    command: list('CMD'),
    healthCheck: list('HEALTHCHECK'),
  };
}

type Places = { checkout: string; work: string; image: string };

/** Writes the files of the last stage to `image`. */
export function buildImage({ checkout, work, image }: Places, print: (line: string) => void): void {
  const stages = readStages(checkout);
  const context = join(work, 'context');
  copyContext(checkout, context);
  // The umask of a Docker build.
  const umask = process.umask(0o022);
  try {
    for (const stage of stages) {
      const root = stage === stages.at(-1) ? image : join(work, stage.name);
      mkdirSync(root, { recursive: true });
      runStage(stage, { root, context, work, checkout, print });
    }
  } finally {
    process.umask(umask);
  }
  // The base image contains Node at the path of the entrypoint.
  const node = join(image, readImage(checkout).entrypoint[0] ?? '');
  mkdirSync(dirname(node), { recursive: true });
  copyFileSync(process.execPath, node);
  chmodSync(node, 0o755);
}

/** Copies a fresh clone without the files in .dockerignore. Only the owner may read it, as with a strict umask. */
function copyContext(checkout: string, context: string): void {
  const ignored = readFileSync(join(checkout, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const files = run('git', ['ls-files', '-z', '-co', '--exclude-standard'], checkout).split('\0');
  for (const file of files) {
    if (file === '' || !existsSync(join(checkout, file))) continue;
    const paths = file.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'));
    if (ignored.some((pattern) => paths.some((path) => matchesGlob(path, pattern)))) continue;
    mkdirSync(dirname(join(context, file)), { recursive: true, mode: 0o700 });
    copyFileSync(join(checkout, file), join(context, file));
    chmodSync(join(context, file), 0o600);
  }
}

type Build = { root: string; context: string; work: string; checkout: string; print: (line: string) => void };

function runStage({ name, instructions }: Stage, { root, context, work, checkout, print }: Build): void {
  let folder = root;
  for (const { word, rest } of instructions) {
    const started = performance.now();
    if (word === 'WORKDIR') {
      folder = join(root, rest);
      mkdirSync(folder, { recursive: true });
    } else if (word === 'COPY') copyFiles(rest, { context, work, root, folder });
    else if (word === 'RUN') {
      // The checkout already has the result of npm ci.
      if (rest === 'npm ci') copyPackages(checkout, folder);
      else run('sh', ['-c', rest], folder);
      print(`  ${name}: ${rest} (${((performance.now() - started) / 1_000).toFixed(1)} s)`);
    }
  }
}

/** Like COPY: copies the content of a folder, or a file into a folder or under another name. */
function copyFiles(
  rest: string,
  { context, work, root, folder }: Omit<Build, 'checkout' | 'print'> & { folder: string },
): void {
  const parts = rest.split(/\s+/);
  const flag = (name: string): string | undefined => new RegExp(`--${name}=(\\S+)`).exec(rest)?.[1];
  const sources = parts.filter((part) => !part.startsWith('--'));
  const target = sources.pop() ?? '';
  const stage = flag('from');
  const from = stage === undefined ? context : join(work, stage);
  const into = target.startsWith('/') ? join(root, target) : join(folder, target);
  for (const source of sources) {
    const path = join(from, source);
    const named = !statSync(path).isDirectory() && (target.endsWith('/') || sources.length > 1);
    const to = named ? join(into, basename(source)) : into;
    mkdirSync(dirname(to), { recursive: true });
    cpSync(path, to, { recursive: true, verbatimSymlinks: true });
    const [user, group] = (flag('chown') ?? '').split(':').map(Number);
    if (user && group && process.getuid?.() === 0) chownSync(to, user, group);
  }
}

/**
 * Uses hard links if the file system allows them. Without the caches (.vite-temp and others): a step that runs beside
 * this one changes them meanwhile, and cp fails if a file disappears.
 */
function copyPackages(checkout: string, folder: string): void {
  const [from, to] = [join(checkout, 'node_modules'), join(folder, 'node_modules')];
  const names = readdirSync(from).filter((name) => !name.startsWith('.') || name === '.bin');
  const copy = (...flags: string[]) => ['-a', ...flags, ...names.map((name) => join(from, name)), to];
  mkdirSync(to);
  if (spawnSync('cp', copy('--link')).status !== 0) {
    rmSync(to, { recursive: true });
    mkdirSync(to);
    run('cp', copy(), folder);
  }
  const nested = join(checkout, 'web/node_modules');
  if (existsSync(nested)) run('cp', ['-a', nested, join(folder, 'web')], folder);
}

function run(program: string, args: string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}\n${stderr}`);
  return stdout;
}

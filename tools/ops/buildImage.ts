// Does what `docker build` would do with our Dockerfile, in folders instead of images.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, matchesGlob } from 'node:path';
import { type Copy, readDockerfile, type Stage } from './dockerfile.ts';

/** This very line has run in the checkout: its packages are taken instead of being fetched a second time. */
const DONE_ALREADY = 'npm ci';

type Places = { checkout: string; work: string; image: string };

/** Answers the image's last stage, whose files then lie in `image`. */
export function buildImage({ checkout, work, image }: Places, say: (line: string) => void): Stage {
  const stages = readDockerfile(readFileSync(join(checkout, 'Dockerfile'), 'utf8'));
  const context = join(work, 'context');
  copyContext(checkout, context);
  // A builder's own, whatever ours is.
  const before = process.umask(0o022);
  try {
    return build(stages, { checkout, work, image, context }, say);
  } finally {
    process.umask(before);
  }
}

function build(
  stages: Stage[],
  { checkout, work, image, context }: Places & { context: string },
  say: (line: string) => void,
): Stage {
  const roots = new Map(stages.map(({ name }) => [name, join(work, name)]));
  const last = stages.at(-1);
  if (last === undefined) throw new Error('The Dockerfile has no stage.');
  for (const stage of stages) {
    const root = stage === last ? image : join(work, stage.name);
    mkdirSync(root, { recursive: true });
    runStage(stage, { root, context, roots, checkout, say });
  }
  // What the base image brings: Node, at the place that the entrypoint names.
  const [node = ''] = last.entrypoint;
  mkdirSync(dirname(join(image, node)), { recursive: true });
  copyFileSync(process.execPath, join(image, node));
  chmodSync(join(image, node), 0o755);
  return last;
}

/** As strict as a server's umask may be: only who cloned may read. */
const OWNER_ALONE = { file: 0o600, folder: 0o700 };

/** What a fresh clone holds, without what .dockerignore names. */
function copyContext(checkout: string, context: string): void {
  const ignored = readFileSync(join(checkout, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const { stdout } = run('git', ['ls-files', '-z', '-co', '--exclude-standard'], checkout);
  for (const file of stdout.split('\0')) {
    if (file === '' || !existsSync(join(checkout, file))) continue;
    const folders = file.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'));
    if (ignored.some((pattern) => folders.some((path) => matchesGlob(path, pattern)))) continue;
    mkdirSync(dirname(join(context, file)), { recursive: true, mode: OWNER_ALONE.folder });
    copyFileSync(join(checkout, file), join(context, file));
    chmodSync(join(context, file), OWNER_ALONE.file);
  }
}

type Running = {
  root: string;
  context: string;
  roots: Map<string, string>;
  checkout: string;
  say: (line: string) => void;
};

function runStage(stage: Stage, { root, context, roots, checkout, say }: Running): void {
  let folder = root;
  for (const instruction of stage.instructions) {
    const began = performance.now();
    if (instruction.does === 'workdir') {
      folder = join(root, instruction.folder);
      mkdirSync(folder, { recursive: true });
    } else if (instruction.does === 'copy') {
      const { copy } = instruction;
      const from = copy.from === undefined ? context : roots.get(copy.from);
      if (from === undefined) throw new Error(`Dockerfile: there is no stage ${copy.from}`);
      copyFiles(copy, { from, root, folder });
    } else {
      if (instruction.command === DONE_ALREADY) takePackages(checkout, folder);
      else run('sh', ['-c', instruction.command], folder);
      const seconds = ((performance.now() - began) / 1_000).toFixed(1);
      say(`  ${stage.name}: ${instruction.command} (${seconds} s)`);
    }
  }
}

/** As COPY does: the content of a folder, or a file by its name into a folder or under another name. */
function copyFiles(copy: Copy, { from, root, folder }: { from: string; root: string; folder: string }): void {
  const into = copy.target.startsWith('/') ? join(root, copy.target) : join(folder, copy.target);
  for (const source of copy.sources) {
    const path = join(from, source);
    const named = !statSync(path).isDirectory() && (copy.target.endsWith('/') || copy.sources.length > 1);
    const target = named ? join(into, basename(source)) : into;
    mkdirSync(dirname(target), { recursive: true });
    cpSync(path, target, { recursive: true, verbatimSymlinks: true });
    const [user, group] = (copy.owner ?? '').split(':').map(Number);
    if (user && group && process.getuid?.() === 0) chownSync(target, user, group);
  }
}

/** With hard links, where the file system allows them: they are many. */
function takePackages(checkout: string, folder: string): void {
  const [from, to] = [join(checkout, 'node_modules'), join(folder, 'node_modules')];
  if (spawnSync('cp', ['-a', '--link', from, to]).status !== 0) run('cp', ['-a', from, to], folder);
  const nested = join(checkout, 'web/node_modules');
  if (existsSync(nested)) run('cp', ['-a', nested, join(folder, 'web')], folder);
}

function run(program: string, args: string[], cwd: string): { stdout: string } {
  const done = spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (done.status !== 0)
    throw new Error(`${program} ${args.join(' ')} failed:\n${done.stdout}\n${done.stderr}`);
  return done;
}

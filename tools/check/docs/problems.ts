// Finds references in a page that do not exist in the repository.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { calls } from '../../../protocol/src/calls/http.ts';
import { keys } from '../../../server/testing/rules.ts';
import { steps } from '../steps.ts';
import { type Located, type Page, readPage } from './markdown.ts';

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

type Check = (repository: Repository, code: string) => string | undefined;

/** Each returns the problem of a piece of code, if there is one. */
const codeChecks: Check[] = [script, command, bareNode, file, call, setting];

export function problemsOf(repository: Repository, path: string, markdown: string): string[] {
  const page = readPage(markdown);
  const found: string[] = [];
  const note = ({ line }: { line: number }, problem: string | undefined) => {
    if (problem !== undefined) found.push(`${path}:${line} ${problem}`);
  };
  for (const link of page.links) note(link, brokenLink(page, path, link.text));
  for (const span of [...page.spans, ...page.shell.flatMap(withoutComment)]) {
    for (const check of codeChecks) note(span, check(repository, span.text));
  }
  for (const line of page.prose) {
    note(line, wrongLimit(line.text));
    for (const problem of wrongReferences(path, line.text)) note(line, problem);
  }
  return found;
}

function withoutComment({ line, text: code }: Located): Located[] {
  const text = code.replace(/(^|\s)#.*$/, '').trim();
  return text === '' ? [] : text.split(/\s&&\s/).map((part) => ({ line, text: part }));
}

function brokenLink(page: Page, path: string, target: string): string | undefined {
  if (/^(?:https?|mailto):/.test(target)) return undefined;
  const [file = '', anchor] = target.split('#');
  const to = file === '' ? path : normalize(join(dirname(path), file));
  if (!existsSync(join(root, to))) return `links to ${target}, which does not exist`;
  if (anchor === undefined || !to.endsWith('.md')) return undefined;
  const anchors = file === '' ? page.anchors : readPage(readFileSync(join(root, to), 'utf8')).anchors;
  return anchors.has(anchor) ? undefined : `links to ${target}, but that page has no such heading`;
}

function script({ scripts, steps }: Repository, code: string): string | undefined {
  const name = /^npm run (?:--silent |-s )?([\w:-]+)/.exec(code)?.[1];
  if (name === undefined) return undefined;
  if (!scripts.has(name)) return `names npm run ${name}, which package.json does not have`;
  const only = name === 'check' ? /--only ([\w,]+)/.exec(code)?.[1] : undefined;
  const unknown = only?.split(',').filter((step) => !steps.has(step)) ?? [];
  return unknown.length > 0
    ? `names the step ${unknown.join(', ')}, which the check does not have`
    : undefined;
}

function command({ commands }: Repository, code: string): string | undefined {
  const rest = /^(?:npm run settee --|settee|npm exec -- node server\/src\/cli\.ts) ([^…].*)$/.exec(
    code,
  )?.[1];
  if (rest === undefined) return undefined;
  const words = rest.split(/\s+/);
  const name = [words.slice(0, 2).join(' '), words[0] ?? ''].find((candidate) => commands.has(candidate));
  if (name === undefined) return `names settee ${rest}, which the command line does not have`;
  const options = [...rest.matchAll(/--([\w-]+)/g)].map(([, option]) => option ?? '');
  const unknown = options.filter((option) => !commands.get(name)?.has(option));
  return unknown.length > 0
    ? `gives settee ${name} an option --${unknown.join(', --')} that it does not have`
    : undefined;
}

/** The installed Node may be older than the one in node_modules, which npm finds. */
function bareNode(_repository: Repository, code: string): string | undefined {
  return /^node \S+\.ts\b/.test(code) ? `runs ${code}; use npm exec -- ${code}` : undefined;
}

/** A path from the root or the end of one, if it clearly names a file or folder of the repository. */
const PATH =
  /^(?:npm exec -- node |bash )?((?:[\w@.*…-]+\/)+[\w@.*…-]+\.(?:tsx?|mjs|sql|css|html|md|ya?ml|json|sh|service|timer)|[\w@.*…-]+\.(?:tsx?|sql|css|html|md)|(?:protocol|server|web|e2e|bench|bin|docs|ops|\.github|\.ci)(?:\/[\w@.*…-]+)*\/?)(?:\s|$)/;

function file({ files, folders }: Repository, code: string): string | undefined {
  const path = PATH.exec(code)?.[1]?.replace(/\/$/, '');
  if (path === undefined || folders.has(path)) return undefined;
  const pattern = path
    .split(/…|\*+/)
    .map((part) => part.replaceAll('.', '\\.'))
    .join('.*');
  const ends = new RegExp(`(?:^|/)${pattern}$`);
  if (files.some((known) => ends.test(known)) || isIgnored(path)) return undefined;
  return `names ${path}, which does not exist`;
}

function call({ calls }: Repository, code: string): string | undefined {
  const [, method, path] = /^(GET|POST|PUT|DELETE) (\S+)$/.exec(code) ?? [];
  if (method === undefined || path === undefined) return undefined;
  const plain = path.replace(/\?.*$/, '').replaceAll(/\{\w+\}/g, '{}');
  const known = plain.startsWith('…')
    ? [...calls].some((each) => each.startsWith(`${method} `) && each.endsWith(plain.slice(1)))
    : calls.has(`${method} ${plain}`);
  return known || SERVED_BESIDE.test(plain) ? undefined : `names ${method} ${path}, which is not a call`;
}

/** Other addresses of a gateway: pages, images, the socket and the private port. */
const SERVED_BESIDE =
  /^\/(?:$|i\/|chat$|handler$|handler-test$|admin|assets\/|live$|brand\/avatar\/|media\/|auth\/staff\/sso|healthz$|readyz$|metrics$|robots\.txt$|sw\.js$)/;

/** Settings of OpenTelemetry, the address of the repository, and variables of docs/examples/integrate.md. */
const OF_OTHERS = /^(?:OTEL_.+|REPOSITORY_URL|SETTEE_KEY|WEBHOOK_SECRET)$/;

/** A name in capitals with an underscore is a setting or a constant. */
function setting({ settings, constants }: Repository, code: string): string | undefined {
  const name = /^([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=.*)?$/.exec(code)?.[1];
  if (name === undefined || settings.has(name) || constants.has(name) || OF_OTHERS.test(name))
    return undefined;
  return `names ${name}, which is neither a setting nor a constant`;
}

/** `| what | 60 | \`file\` \`NAME\` |`: the limit must have the same value in the code. */
function wrongLimit(row: string): string | undefined {
  const cells = row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
  const [, path, name] = /^`([\w./-]+)` `([A-Z0-9_]+)`$/.exec(cells.at(-1) ?? '') ?? [];
  if (path === undefined || name === undefined) return undefined;
  if (!existsSync(join(root, path))) return undefined;
  const source = readFileSync(join(root, path), 'utf8');
  const value =
    new RegExp(`\\b${name} = ([\\d_]+)\\b`).exec(source)?.[1] ??
    new RegExp(`\\b${name}: \\{[^}]*fallback: '([^']+)'`).exec(source)?.[1];
  if (value === undefined) return `names ${name}, which has no number in ${path}`;
  const stated = (cells.at(-2) ?? '').replaceAll(',', '').match(/\d+/)?.[0];
  return Number(stated) === Number(value.replaceAll('_', ''))
    ? undefined
    : `has ${cells.at(-2)}, but ${path} has ${name} = ${value}`;
}

/** [`Symbol`](file), [ID](file) and `file` ID: the file must declare the symbol, or have a test with that id. */
function wrongReferences(page: string, text: string): string[] {
  const link = /\[(?:`([A-Za-z_]\w*)`|([A-Z0-9]+-\d+))\]\(([^)#:]+)\)/g;
  const fromLinks = [...text.matchAll(link)].map(([, symbol, id, target = '']) => ({
    file: normalize(join(dirname(page), target)),
    wanted: symbol === undefined ? [`[${id}]`] : [symbol],
  }));
  const fromProofs = [...text.matchAll(/`([\w./-]+\.tsx?)`((?:\s+[A-Z0-9]+-\d+)+)/g)].map(
    ([, file = '', ids = '']) => ({
      file,
      wanted: ids
        .trim()
        .split(/\s+/)
        .map((id) => `[${id}]`),
    }),
  );
  return [...fromLinks, ...fromProofs].flatMap(({ file, wanted }) => {
    if (!existsSync(join(root, file))) return [];
    const source = readFileSync(join(root, file), 'utf8');
    const declares = (name: string) =>
      name.startsWith('[')
        ? source.includes(name)
        : new RegExp(`(?:function|class|const|let|type|interface)\\s+${name}\\b`).test(source);
    return wanted
      .filter((name) => !declares(name))
      .map((name) => `names ${name}, which ${file} does not have`);
  });
}

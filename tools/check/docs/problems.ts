// What a page names and the repository does not have.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { type Page, readPage, type Said } from './markdown.ts';
import { isIgnored, type Repository, root } from './repository.ts';

type Find = (repository: Repository, said: string) => string | undefined;

/** Each takes a piece of code and says what is wrong with it; nothing, where it is right or not of its kind. */
const inCode: Find[] = [script, command, bareNode, file, call, setting];

export function problemsOf(repository: Repository, path: string, markdown: string): string[] {
  const page = readPage(markdown);
  const found: string[] = [];
  const note = ({ line }: { line: number }, problem: string | undefined) => {
    if (problem !== undefined) found.push(`${path}:${line} ${problem}`);
  };
  for (const link of page.links) note(link, brokenLink(page, path, link.text));
  for (const span of [...page.spans, ...page.shell.flatMap(withoutComment)]) {
    for (const find of inCode) note(span, find(repository, span.text));
  }
  for (const { line, cells } of page.rows) note({ line }, wrongLimit(cells));
  return found;
}

function withoutComment(said: Said): Said[] {
  const text = said.text.replace(/(^|\s)#.*$/, '').trim();
  return text === '' ? [] : text.split(/\s&&\s/).map((part) => ({ line: said.line, text: part }));
}

function brokenLink(page: Page, path: string, target: string): string | undefined {
  if (/^(?:https?|mailto):/.test(target)) return undefined;
  const [file = '', anchor] = target.split('#');
  const to = file === '' ? path : normalize(join(dirname(path), file));
  if (!existsSync(join(root, to))) return `links to ${target}, which is not there`;
  if (anchor === undefined || !to.endsWith('.md')) return undefined;
  const anchors = file === '' ? page.anchors : readPage(readFileSync(join(root, to), 'utf8')).anchors;
  return anchors.has(anchor) ? undefined : `links to ${target}, but no heading there has that name`;
}

function script({ scripts, steps }: Repository, said: string): string | undefined {
  const name = /^npm run (?:--silent |-s )?([\w:-]+)/.exec(said)?.[1];
  if (name === undefined) return undefined;
  if (!scripts.has(name)) return `says npm run ${name}, which package.json does not know`;
  const only = name === 'check' ? /--only ([\w,]+)/.exec(said)?.[1] : undefined;
  const unknown = only?.split(',').filter((step) => !steps.has(step)) ?? [];
  return unknown.length > 0
    ? `names the step ${unknown.join(', ')}, which the check does not have`
    : undefined;
}

function command({ commands }: Repository, said: string): string | undefined {
  const rest = /^(?:npm run settee --|settee|npm exec -- node server\/src\/cli\.ts) ([^…].*)$/.exec(
    said,
  )?.[1];
  if (rest === undefined) return undefined;
  const words = rest.split(/\s+/);
  const name = [words.slice(0, 2).join(' '), words[0] ?? ''].find((candidate) => commands.has(candidate));
  if (name === undefined) return `says settee ${rest}, which the command line does not know`;
  const options = [...rest.matchAll(/--([\w-]+)/g)].map(([, option]) => option ?? '');
  const unknown = options.filter((option) => !commands.get(name)?.has(option));
  return unknown.length > 0
    ? `gives settee ${name} an option --${unknown.join(', --')} that it does not have`
    : undefined;
}

/** The Node of a machine may be older than the one that comes with the packages, which npm finds. */
function bareNode(_repository: Repository, said: string): string | undefined {
  return /^node \S+\.ts\b/.test(said) ? `runs ${said}; say npm exec -- ${said}` : undefined;
}

/** A path from the root, or the end of one, as long as it names a file or a folder of ours beyond doubt. */
const PATH =
  /^(?:npm exec -- node |bash )?((?:[\w@.*…-]+\/)+[\w@.*…-]+\.(?:tsx?|mjs|sql|css|html|md|ya?ml|json|sh|service|timer)|[\w@.*…-]+\.(?:tsx?|sql|css|html|md)|(?:protocol|server|web|e2e|bench|bin|docs|ops|\.github|\.ci)(?:\/[\w@.*…-]+)*\/?)(?:\s|$)/;

function file({ files, folders }: Repository, said: string): string | undefined {
  const path = PATH.exec(said)?.[1]?.replace(/\/$/, '');
  if (path === undefined || folders.has(path)) return undefined;
  const pattern = path
    .split(/…|\*+/)
    .map((part) => part.replaceAll('.', '\\.'))
    .join('.*');
  const ends = new RegExp(`(?:^|/)${pattern}$`);
  if (files.some((known) => ends.test(known)) || isIgnored(path)) return undefined;
  return `names ${path}, which is not there`;
}

function call({ calls }: Repository, said: string): string | undefined {
  const [, method, path] = /^(GET|POST|PUT|DELETE) (\S+)$/.exec(said) ?? [];
  if (method === undefined || path === undefined) return undefined;
  const plain = path.replace(/\?.*$/, '').replaceAll(/\{\w+\}/g, '{}');
  const known = plain.startsWith('…')
    ? [...calls].some((each) => each.startsWith(`${method} `) && each.endsWith(plain.slice(1)))
    : calls.has(`${method} ${plain}`);
  return known || SERVED_BESIDE.test(plain) ? undefined : `names ${method} ${path}, which is no call`;
}

/** What a gateway serves without being a call: pages, pictures, the socket, and the private port. */
const SERVED_BESIDE =
  /^\/(?:$|i\/|chat$|handler$|handler-test$|admin|assets\/|live$|brand\/avatar\/|media\/|healthz$|readyz$|metrics$|robots\.txt$|sw\.js$)/;

/** OpenTelemetry's own, and where the reader gets the source. */
const OF_OTHERS = /^(?:OTEL_.+|REPOSITORY_URL)$/;

/** Words in capitals with a line between them: a setting, a constant of the product's code, or somebody else's. */
function setting({ settings, words }: Repository, said: string): string | undefined {
  const name = /^([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=.*)?$/.exec(said)?.[1];
  if (name === undefined || settings.has(name) || words.has(name) || OF_OTHERS.test(name)) return undefined;
  return `names ${name}, which is neither a setting nor a constant`;
}

/** `| what | 60 | \`file\` \`NAME\` |`: a limit that stands in the code, and must be the same there. */
function wrongLimit(cells: string[]): string | undefined {
  const [, path, name] = /^`([\w./-]+)` `([A-Z0-9_]+)`$/.exec(cells.at(-1) ?? '') ?? [];
  if (path === undefined || name === undefined) return undefined;
  if (!existsSync(join(root, path))) return undefined;
  const source = readFileSync(join(root, path), 'utf8');
  const value =
    new RegExp(`\\b${name} = ([\\d_]+)\\b`).exec(source)?.[1] ??
    new RegExp(`\\b${name}: \\{[^}]*fallback: '([^']+)'`).exec(source)?.[1];
  if (value === undefined) return `names ${name}, of which ${path} does not say a number`;
  const said = (cells.at(-2) ?? '').replaceAll(',', '').match(/\d+/)?.[0];
  return Number(said) === Number(value.replaceAll('_', ''))
    ? undefined
    : `says ${cells.at(-2)} where ${path} has ${name} = ${value}`;
}

// Compares the size of the built pages with their limits. Run npm run build first.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Call } from '@settee/protocol/calls/call';
import { calls } from '@settee/protocol/calls/http';
import { visitorTexts } from '@settee/protocol/render/translatedPage';
import { visitorLanguages } from '@settee/protocol/texts/languages';
import { closingLine } from '../tools/check/counts.ts';

const EXTERNAL = /<(?:script|link)\b[^>]*?\b(?:src|href)="\/?(?<file>[^":]+\.(?:js|css))"[^>]*>/g;
/** A style sheet with `data-file` is also in the manifest. */
const INLINE = /<(?<tag>script|style)\b(?![^>]*\b(?:src|data-file)=)[^>]*>(?<text>.*?)<\/\k<tag>>/gs;

const FOLDER = 'web/dist';
const KILOBYTE = 1_000;

/** Limits of the first load, in kB after gzip. */
const limits: [page: string, file: string, kind: Kind, kilobytes: number][] = [
  ['visitor', 'visitor.html', 'script', 86],
  ['visitor', 'visitor.html', 'style', 12],
  ['visitor', 'visitor.html', 'font', 42],
  ['console', 'handler.html', 'script', 200],
  ['admin', 'admin.html', 'script', 200],
];

/** The texts of the language with the most bytes are part of the first script. */
const texts: Part = visitorLanguages
  .map((language) => ({
    name: `texts (${language})`,
    kind: 'script' as const,
    bytes: gzipSync(visitorTexts(language)).length,
  }))
  .reduce((most, each) => (each.bytes > most.bytes ? each : most));

const loads = new Map(limits.map(([, file]): [string, Load] => [file, loadOf(FOLDER, file)]));
const problems: string[] = [];

for (const [page, file, kind, limit] of limits) {
  const { first = [], later = [] } = loads.get(file) ?? {};
  const parts = [
    ...first.filter((part) => part.kind === kind),
    ...(isVisitorScript(file, kind) ? [texts] : []),
  ];
  const total = sum(parts);
  console.log(`  ${page.padEnd(8)} ${kind.padEnd(7)} ${kilobytes(total)} of ${limit} kB  ${named(parts)}`);
  const lazy = later.filter((part) => part.kind === kind);
  if (lazy.length > 0) console.log(`  ${''.padEnd(16)} ${kilobytes(sum(lazy))} kB later  ${named(lazy)}`);
  if (parts.length === 0) problems.push(`The ${page} page has no ${kind}, so nothing was measured.`);
  if (total > limit * KILOBYTE) {
    const over = kilobytes(total - limit * KILOBYTE);
    problems.push(
      `The ${page} page's ${kind} grew to ${kilobytes(total)} kB, ${over} kB more than its ${limit} kB: ${named(parts)}. Load rarely used code with import(), or remove something.`,
    );
  }
}

/** Other scripts, such as the service worker. */
for (const name of readdirSync(FOLDER).filter((file) => file.endsWith('.js'))) {
  console.log(
    `  beside   script  ${kilobytes(gzipSync(readFileSync(join(FOLDER, name))).length)} kB  ${name}`,
  );
}

/** Parts of calls that no page uses. */
const spare = ['rate:[', 'refusals:[', ...Object.values<Call>(calls).map(({ summary }) => summary)];
for (const name of readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.js'),
)) {
  const script = readFileSync(join(FOLDER, name), 'utf8');
  const left = spare.find((part) => script.includes(part));
  if (left !== undefined) problems.push(`${name} contains “${left}” of a call: see web/vite/sources.ts.`);
}

for (const problem of problems) console.error(problem);
console.log(closingLine({ passed: limits.length - problems.length, failed: problems.length, skipped: 0 }));
process.exitCode = problems.length === 0 ? 0 : 1;

function isVisitorScript(file: string, kind: Kind): boolean {
  return file === 'visitor.html' && kind === 'script';
}

function sum(parts: Part[]): number {
  return parts.reduce((total, { bytes }) => total + bytes, 0);
}

function named(parts: Part[]): string {
  return parts
    .toSorted((a, b) => b.bytes - a.bytes)
    .map(({ name, bytes }) => `${name} ${kilobytes(bytes)}`)
    .join(', ');
}

function kilobytes(bytes: number): string {
  return (bytes / KILOBYTE).toFixed(1);
}

type Kind = 'script' | 'style' | 'font';
/** Bytes after gzip, as the build compresses its files (web/vite/chunks.ts). Fonts are not compressed again. */
type Part = {
  name: string;
  kind: Kind;
  bytes: number;
  /** A font that the browser loads only for some characters. */
  rare?: boolean;
};
type Load = {
  /** Loaded with the page. */
  first: Part[];
  /** Loaded by scripts afterwards. */
  later: Part[];
};

type Chunk = { file: string; imports?: string[]; dynamicImports?: string[]; css?: string[] };
type Manifest = Record<string, Chunk>;

function loadOf(folder: string, page: string): Load {
  const html = readFileSync(join(folder, page), 'utf8');
  const manifest = JSON.parse(
    readFileSync(join(folder, '.vite', `${basename(page, '.html')}.json`), 'utf8'),
  ) as Manifest;
  const named = [...html.matchAll(EXTERNAL)].map(({ groups }) => groups?.file ?? '');
  const start = Object.entries(manifest)
    .filter(([key, { file }]) => key === page || named.includes(file))
    .map(([key]) => key);
  const first = reached(manifest, start, ({ imports }) => imports ?? []);
  const all = reached(manifest, start, ({ imports, dynamicImports }) => [
    ...(imports ?? []),
    ...(dynamicImports ?? []),
  ]);
  const firstFiles = new Set([...named, ...filesOf(manifest, first)]);
  const laterFiles = [...filesOf(manifest, all)].filter((file) => !firstFiles.has(file));
  const firstParts = partsOf(folder, firstFiles);
  return {
    first: [...inlineParts(page, html), ...firstParts.filter(({ rare }) => !rare)],
    later: [...firstParts.filter(({ rare }) => rare), ...partsOf(folder, laterFiles)],
  };
}

function reached(manifest: Manifest, start: string[], next: (chunk: Chunk) => string[]): Set<string> {
  const seen = new Set(start);
  for (const key of seen) {
    const chunk = manifest[key];
    if (chunk === undefined) throw new Error(`The manifest names ${key} but does not describe it.`);
    for (const other of next(chunk)) seen.add(other);
  }
  return seen;
}

function filesOf(manifest: Manifest, keys: Iterable<string>): Set<string> {
  return new Set([...keys].flatMap((key) => [manifest[key]?.file ?? '', ...(manifest[key]?.css ?? [])]));
}

function partsOf(folder: string, files: Iterable<string>): Part[] {
  const parts = new Map<string, Part>();
  for (const file of files) {
    const content = readFileSync(join(folder, file));
    const kind = file.endsWith('.css') ? 'style' : 'script';
    parts.set(file, { name: shortName(file), kind, bytes: gzipSync(content, { level: 9 }).length });
    if (kind === 'script') continue;
    for (const [face] of content.toString().matchAll(/@font-face\s*\{[^}]*\}/g)) {
      const font = /url\(["']?\/?([^"')]+\.woff2)/.exec(face)?.[1];
      if (font === undefined) continue;
      parts.set(font, {
        name: shortName(font),
        kind: 'font',
        // Already compressed.
        bytes: readFileSync(join(folder, font)).length,
        rare: face.includes('unicode-range'),
      });
    }
  }
  return [...parts.values()];
}

function inlineParts(page: string, html: string): Part[] {
  return [...html.matchAll(INLINE)].map(({ groups }) => ({
    name: `inside ${page}`,
    kind: groups?.tag === 'style' ? 'style' : 'script',
    bytes: gzipSync(groups?.text ?? '').length,
  }));
}

/** Without folder and hash, so that two builds can be compared. */
function shortName(file: string): string {
  return basename(file).replace(/-[\w-]{8}(?=\.\w+$)/, '');
}

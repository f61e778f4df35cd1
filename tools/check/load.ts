// What a built page loads, first and later. From the page and Vite's manifest.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';

export type Kind = 'script' | 'style' | 'font';
/** Bytes after gzip. Fonts are not compressed again. */
export type Part = {
  name: string;
  kind: Kind;
  bytes: number;
  /** A font that the browser loads only for some characters. */
  rare?: boolean;
};
export type Load = {
  /** Loaded with the page. */
  first: Part[];
  /** Loaded by scripts afterwards. */
  later: Part[];
};

type Chunk = { file: string; imports?: string[]; dynamicImports?: string[]; css?: string[] };
type Manifest = Record<string, Chunk>;

const EXTERNAL = /<(?:script|link)\b[^>]*?\b(?:src|href)="\/?(?<file>[^":]+\.(?:js|css))"[^>]*>/g;
/** A style sheet with `data-file` is also in the manifest. */
const INLINE = /<(?<tag>script|style)\b(?![^>]*\b(?:src|data-file)=)[^>]*>(?<text>.*?)<\/\k<tag>>/gs;

export function loadOf(folder: string, page: string): Load {
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
    parts.set(file, { name: shortName(file), kind, bytes: gzipSync(content).length });
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

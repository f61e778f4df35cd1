import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

type Graph = { getModuleInfo(id: string): { importedIds: readonly string[] } | null };
const visitor = join(import.meta.dirname, '../src/visitor');
const FIRST = join(visitor, 'main.tsx');
const SOON = [join(visitor, 'forms.ts'), join(visitor, 'ChatRoom.tsx')];

/**
 * Puts the forms and the chat room, which every first visit needs, into one script and one style sheet, with all their
 * imports that are not in the first script. The bundler's default chunks needed three sequential round trips.
 */
export function neededSoon() {
  let soon: Set<string> | undefined;
  return {
    includeDependenciesRecursively: false,
    name(id: string, graph: Graph): string | null {
      soon ??= soonIn(graph);
      return soon.has(id) ? 'room' : null;
    },
  };
}

function soonIn(graph: Graph): Set<string> {
  const first = reached(graph, [FIRST]);
  return new Set([...reached(graph, SOON)].filter((id) => !first.has(id)));
}

function reached(graph: Graph, start: string[]): Set<string> {
  const seen = new Set(start);
  for (const id of seen) for (const next of graph.getModuleInfo(id)?.importedIds ?? []) seen.add(next);
  return seen;
}

const WEB = `${import.meta.dirname}/..`;
const MARK_LENGTH = 3;
const files = new Map<string, string>();

/**
 * The name of a CSS module's class in the built pages: its own name and a short hash of its file. Every class name is
 * in the script and in the style sheet, so long names cost twice.
 */
export function shortClassName(name: string, file: string): string {
  const path = relative(WEB, file.split('?')[0] ?? file);
  const mark = createHash('sha256').update(path).digest('base64url').slice(0, MARK_LENGTH);
  const other = files.get(mark);
  if (other !== undefined && other !== path)
    throw new Error(`${path} and ${other} have the same mark: make MARK_LENGTH larger`);
  files.set(mark, path);
  return `${name}_${mark}`;
}

const COMPRESSIBLE = /\.(js|css)$/;

/**
 * Writes a .br and a .gz file beside each script and style sheet, with maximum compression. The gateway only sends
 * them.
 */
export function precompress(): Plugin {
  return {
    name: 'settee-precompress',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const files = Object.keys(bundle).filter((name) => COMPRESSIBLE.test(name));
      await Promise.all(files.map((name) => compress(join(dir, name))));
    },
  };
}

async function compress(file: string): Promise<void> {
  const bytes = await readFile(file);
  const [small, common] = await Promise.all([
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    promisify(gzip)(bytes, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${file}.br`, small), writeFile(`${file}.gz`, common)]);
}

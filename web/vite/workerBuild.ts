import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InlineConfig, Manifest } from 'vite';
import { precompress } from './precompress.ts';

const web = join(import.meta.dirname, '..');

/** The service worker: one classic script at a fixed address, built after the visitor's page, whose files it lists. */
export function workerBuild(folder: string): InlineConfig {
  const assets = visitorAssets(folder);
  return {
    configFile: false,
    root: web,
    publicDir: false,
    plugins: [precompress()],
    define: {
      SHELL_ASSETS: JSON.stringify(assets),
      SHELL_BUILD: JSON.stringify(createHash('sha256').update(assets.join()).digest('hex').slice(0, 12)),
    },
    build: {
      target: 'es2022',
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: {
        input: join(web, 'src/worker/worker.ts'),
        output: { format: 'iife', entryFileNames: 'sw.js' },
      },
    },
  };
}

/** All that the visitor's page can load, as its build wrote it down. */
function visitorAssets(folder: string): string[] {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/visitor.json'), 'utf8')) as Manifest;
  const files = new Set<string>();
  const seen = new Set<string>();
  const visit = (name: string): void => {
    const chunk = manifest[name];
    if (!chunk || seen.has(name)) return;
    seen.add(name);
    for (const file of [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])]) files.add(`/${file}`);
    for (const next of [...(chunk.imports ?? []), ...(chunk.dynamicImports ?? [])]) visit(next);
  };
  visit('visitor.html');
  return [...files].sort();
}

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { defineConfig, type Manifest } from 'vite';

const dist = `${import.meta.dirname}/dist`;

/** All that the visitor's page can load, as the build of the pages wrote it down. */
function visitorAssets(): string[] {
  const manifest = JSON.parse(readFileSync(`${dist}/.vite/visitor.json`, 'utf8')) as Manifest;
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

const assets = visitorAssets();

/** The service worker: one classic script at a fixed address, built after the pages, whose files it lists. */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  define: {
    SHELL_ASSETS: JSON.stringify(assets),
    SHELL_BUILD: JSON.stringify(createHash('sha256').update(assets.join()).digest('hex').slice(0, 12)),
  },
  build: {
    target: 'es2022',
    outDir: dist,
    emptyOutDir: false,
    rolldownOptions: {
      input: `${import.meta.dirname}/src/worker/worker.ts`,
      output: { format: 'iife', entryFileNames: 'sw.js' },
    },
  },
});

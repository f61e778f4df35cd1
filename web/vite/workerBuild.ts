import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build, type InlineConfig, type Manifest, type Plugin } from 'vite';
import { precompress } from './chunks.ts';
import { callsForPage } from './sources.ts';

const web = join(import.meta.dirname, '..');
const SCRIPT = 'sw.js';

/**
 * The service worker: one classic script at a fixed address, built after the visitor's page, because it lists the
 * page's files.
 */
export function workerBuild(folder: string): InlineConfig {
  return workerFor(visitorAssets(folder), { outDir: folder, emptyOutDir: false });
}

function workerFor(assets: readonly string[], build: BuildOptions): InlineConfig {
  return {
    configFile: false,
    root: web,
    publicDir: false,
    plugins: [callsForPage({ checksForms: false }), ...(build.write === false ? [] : [precompress()])],
    define: {
      SHELL_ASSETS: JSON.stringify(assets),
      SHELL_BUILD: JSON.stringify(createHash('sha256').update(assets.join()).digest('hex').slice(0, 12)),
    },
    build: {
      target: 'es2022',
      ...build,
      rolldownOptions: {
        input: join(web, 'src/worker/worker.ts'),
        output: { format: 'iife', entryFileNames: SCRIPT },
      },
    },
  };
}

/** The service worker of the development server: shows notifications and caches no page. Built on every request. */
export function workerInDevelopment(): Plugin {
  return {
    name: 'settee-worker-in-development',
    configureServer(server) {
      server.middlewares.use(`/${SCRIPT}`, (_request, response, next) => {
        build({ ...workerFor([], { write: false }), logLevel: 'warn' }).then((built) => {
          const [output] = [built].flat();
          const chunk = output !== undefined && 'output' in output ? output.output[0] : undefined;
          response.setHeader('content-type', 'text/javascript');
          response.setHeader('cache-control', 'no-store');
          response.end(chunk?.code ?? '');
        }, next);
      });
    },
  };
}

/** Every file that the visitor's page can load, from the manifest of its build. */
function visitorAssets(folder: string): string[] {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/visitor.json'), 'utf8')) as Manifest;
  const files = new Set<string>();
  const seen = new Set<string>();
  const visit = (name: string): void => {
    const chunk = manifest[name];
    if (!chunk || seen.has(name)) return;
    seen.add(name);
    // The page contains its style sheet.
    const css = chunk.isEntry ? [] : (chunk.css ?? []);
    for (const file of [chunk.file, ...css, ...(chunk.assets ?? [])]) files.add(`/${file}`);
    for (const next of [...(chunk.imports ?? []), ...(chunk.dynamicImports ?? [])]) visit(next);
  };
  visit('visitor.html');
  return [...files].sort();
}

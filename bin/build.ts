// npm run build [-- folder]: builds each page separately, with one script and one style sheet. Shared chunks would cost
// the visitor's page 2 kB and a round trip, and nobody opens these pages together.
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { neededSoon } from '../web/vite/chunks.ts';
import { callsForPage, withoutSpareReact } from '../web/vite/sources.ts';
import { workerBuild } from '../web/vite/workerBuild.ts';

const web = join(import.meta.dirname, '../web');
const folder = resolve(process.argv[2] ?? join(web, 'dist'));

for (const [i, page] of ['index', 'visitor', 'handler', 'admin', 'notFound'].entries()) {
  await build({
    configFile: join(web, 'vite.config.ts'),
    logLevel: 'warn',
    plugins: [
      ...(page === 'visitor' ? [withoutSpareReact()] : []),
      callsForPage({ checksForms: page === 'admin' }),
    ],
    build: {
      outDir: folder,
      emptyOutDir: i === 0,
      // The files of the page, for the service worker and for bin/sizes.ts.
      manifest: `.vite/${page}.json`,
      rolldownOptions: {
        input: join(web, `${page}.html`),
        ...(page === 'visitor' && { output: { codeSplitting: { groups: [neededSoon()] } } }),
      },
    },
  });
}
// Last: it lists the files of the visitor's page.
await build({ ...workerBuild(folder), logLevel: 'warn' });

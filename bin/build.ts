// npm run build: each page by itself. A page loads one script and one style sheet of its own; shared chunks would
// cost the visitor's page 2 kB and a round trip, for pages that the same person never opens together.
import { build } from 'vite';

const pages = ['index', 'visitor', 'handler'];

for (const [i, page] of pages.entries()) {
  await build({
    configFile: 'web/vite.config.ts',
    logLevel: 'warn',
    build: {
      emptyOutDir: i === 0,
      // Which files the page consists of, for the service worker and for the measuring of sizes.
      manifest: `.vite/${page}.json`,
      rolldownOptions: { input: `web/${page}.html` },
    },
  });
}
// Last: it lists the files of the visitor's page.
await build({ configFile: 'web/vite.worker.config.ts', logLevel: 'warn' });

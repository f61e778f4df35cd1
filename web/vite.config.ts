import { calls } from '@settee/protocol/http';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type UserConfig } from 'vite';

/** First words of the paths that the gateway answers; everything else is a page or an asset. */
const gatewayPaths = new Set(Object.values(calls).map(({ path }) => `/${path.split('/')[1]}`));

/** In production the gateway serves the entry of each route; in development this does. */
function entryPerRoute(): Plugin {
  const entries: [RegExp, string][] = [
    [/^\/i\//, '/visitor.html'],
    [/^\/chat(\/|\?|$)/, '/visitor.html'],
    [/^\/handler(\/|\?|$)/, '/handler.html'],
  ];
  return {
    name: 'settee-entry-per-route',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        const entry = entries.find(([route]) => route.test(request.url ?? ''));
        if (entry) request.url = entry[1];
        next();
      });
    },
  };
}

const pages = ['index', 'visitor', 'handler'];

/**
 * Every page is built by itself: people stay on the one they opened, and what pages share would come in many small
 * scripts, one more for each lazy part of any of them.
 */
const builtByPage = {
  environments: Object.fromEntries(
    pages.map((page) => [
      page,
      {
        consumer: 'client',
        build: {
          emptyOutDir: page === pages[0],
          rolldownOptions: { input: `${import.meta.dirname}/${page}.html` },
        },
      },
    ]),
  ),
  builder: {
    async buildApp({ build, environments }) {
      for (const page of pages) {
        const environment = environments[page];
        if (environment) await build(environment);
      }
    },
  },
} satisfies UserConfig;

const gateway = process.env.SETTEE_GATEWAY_URL ?? 'http://127.0.0.1:3000';

export default defineConfig(({ command }) => ({
  ...(command === 'build' && builtByPage),
  root: import.meta.dirname,
  plugins: [react(), entryPerRoute()],
  server: {
    proxy: {
      // A trailing boundary, so that '/handlers' is the gateway's and '/handler' is a page.
      ...Object.fromEntries([...gatewayPaths].map((path) => [`^${path}(/|\\?|$)`, { target: gateway }])),
      '/live': { target: gateway, ws: true },
    },
  },
  build: {
    target: 'es2022',
    sourcemap: true,
    // Strict CSP: a font or picture inlined as a data: URL would be refused.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
}));

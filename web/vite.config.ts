import { calls } from '@settee/protocol/calls/http';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { beforeFirstPaint, oneDocument } from './vite/beforeFirstPaint.ts';
import { precompress, shortClassName } from './vite/chunks.ts';
import { entryPerRoute, htmlTexts } from './vite/development.ts';
import { openErrorCodes, retryPreload, textsFromPage } from './vite/sources.ts';
import { workerInDevelopment } from './vite/workerBuild.ts';

/** First words of the paths that the gateway answers; everything else is a page or an asset. */
const gatewayPaths = new Set(Object.values(calls).map(({ path }) => `/${path.split('/')[1]}`));

const gateway = process.env.SETTEE_GATEWAY_URL ?? 'http://127.0.0.1:3000';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    openErrorCodes(),
    textsFromPage(),
    retryPreload(),
    react(),
    entryPerRoute(),
    htmlTexts(),
    beforeFirstPaint(),
    oneDocument(),
    precompress(),
    workerInDevelopment(),
  ],
  server: {
    proxy: {
      // A trailing boundary, so that '/handlers' is the gateway's and '/handler' is a page.
      ...Object.fromEntries([...gatewayPaths].map((path) => [`^${path}(/|\\?|$)`, { target: gateway }])),
      // Media in a folder, where there is no S3.
      '^/media/': { target: gateway },
      '^/.+\\.webmanifest$': { target: gateway },
      '/live': { target: gateway, ws: true },
    },
  },
  css: { modules: { generateScopedName: shortClassName } },
  build: {
    target: 'es2022',
    sourcemap: true,
    // Strict CSP: a font or picture inlined as a data: URL would be refused.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // Of a part that comes later, the first script names only the style sheets; its scripts name each other.
      resolveDependencies: (_url, names, { hostType }) =>
        hostType === 'html' ? names : names.filter((name) => name.endsWith('.css')),
    },
    // Compressing takes its time, and is meant to.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
});

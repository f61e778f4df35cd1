import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { App } from '../app.ts';
import { type Encoded, encode, sendEncoded } from './encoded.ts';
import { type PageOptions, pageHeaders } from './pageHeaders.ts';
import type { Page } from './unknownPath.ts';
import { visitorPage } from './visitorPage.ts';

export type Pages = {
  /** For addresses that lead nowhere. */
  notFound: Page;
  serve(server: FastifyInstance): void;
};

const A_YEAR = 'public, max-age=31536000, immutable';
const A_DAY = 'public, max-age=86400';

/** The service worker may ask us, and nothing else; the icon and the badge of a notification count as its images. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'; img-src 'self'";

/** Files beside the pages, under names that others expect. */
const PUBLIC_FILES = [
  'favicon.svg',
  'favicon-unread.svg',
  'robots.txt',
  'apple-touch-icon.png',
  'icon-192.png',
  'icon-512.png',
  'icon-maskable-192.png',
  'icon-maskable-512.png',
  'icon-monochrome-96.png',
];

/** The built pages, read once; none where nothing was built, as in development. */
export function readPages(app: App): Pages | undefined {
  const folder = resolve(app.config.webRoot);
  if (!existsSync(join(folder, 'visitor.html'))) return undefined;
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');

  const landing = stillPage(read('index.html'), { indexed: true });
  const { s3 } = app.config;
  const chat: PageOptions = { mediaOrigin: s3 && new URL(s3.publicEndpoint).origin };
  const handler = stillPage(read('handler.html'), chat);
  const admin = stillPage(read('admin.html'), chat);
  const template = read('visitor.html');
  const visitor = page(template, visitorPage(app, template), chat);
  return {
    notFound: stillPage(read('notFound.html')),
    serve(server) {
      serveFiles(server, folder);
      server.get('/', landing);
      // Which token it is, and whether it is one, is for the page's own script to find out; but there must be one.
      const invite = '/i/:token(^.+$)';
      for (const path of [invite, `${invite}/`, '/chat', '/chat/']) server.get(path, visitor);
      for (const path of ['/handler', '/handler/*', '/handler-test', '/handler-test/']) {
        server.get(path, handler);
      }
      for (const path of ['/admin', '/admin/*']) server.get(path, admin);
    },
  };
}

function serveFiles(server: FastifyInstance, folder: string): void {
  server.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: '/assets/',
    cacheControl: false,
    preCompressed: true,
    setHeaders(reply) {
      if (!reply.hasHeader('cache-control')) reply.header('cache-control', A_YEAR);
    },
  });
  for (const file of PUBLIC_FILES) {
    server.get(`/${file}`, (_request, reply) => reply.header('cache-control', A_DAY).sendFile(file, folder));
  }
  server.get('/sw.js', (_request, reply) =>
    reply
      .header('content-security-policy', WORKER_POLICY)
      .header('cache-control', 'no-cache')
      .sendFile('sw.js', folder),
  );
}

/** A page that is the same for everyone, for as long as this process runs. */
function stillPage(html: string, options?: PageOptions): Page {
  const encoded = encode(html);
  return page(html, () => Promise.resolve(encoded), options);
}

function page(html: string, content: () => Promise<Encoded>, options?: PageOptions): Page {
  const headers = pageHeaders(html, options);
  return async (request, reply) => {
    const encoded = await content();
    return sendEncoded(request, reply.headers(headers), encoded);
  };
}

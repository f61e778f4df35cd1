import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fastifyStatic from '@fastify/static';
import { errors } from '@settee/protocol/calls/errors';
import { calls } from '@settee/protocol/calls/http';
import { translatedPage, translatedStaffPage } from '@settee/protocol/render/translatedPage';
import { type Language, staffLanguages, visitorLanguages } from '@settee/protocol/texts/languages';
import { texts } from '@settee/protocol/texts/texts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { App } from '../platform/app.ts';
import { publicBucketUrl } from '../platform/config/config.ts';
import { type CompressedPage, compress, sendCompressed } from '../platform/http/compression.ts';
import { languageOf } from '../platform/http/language.ts';
import { cellOfInvite } from '../platform/http/otherCell.ts';
import { type Page, type PageOptions, pageHeaders } from '../platform/http/pageHeaders.ts';
import { visitorPage } from './visitorPage.ts';

export type Pages = {
  notFound: Page;
  serve(server: FastifyInstance): void;
};

const A_YEAR = 'public, max-age=31536000, immutable';
const A_DAY = 'public, max-age=86400';

/** The service worker may only connect to us. Icon and badge of a notification count as images. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'; img-src 'self'; frame-ancestors 'none'";

/** Files with fixed names. */
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

/** Of a profile other than the first. */
const MARK = '[0-9a-f-]{36}';

/** The built pages. Undefined when nothing was built, as in development. */
export function readPages(app: App): Pages | undefined {
  const folder = resolve(app.config.webRoot);
  if (!existsSync(join(folder, 'visitor.html'))) return undefined;
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');

  const { s3 } = app.config;
  const chat: PageOptions = { mediaUrl: s3 && publicBucketUrl(s3) };
  const staff = (name: string) =>
    staticPage(read(name), { languages: staffLanguages, translate: translatedStaffPage, ...chat });
  const open = (name: string, options?: PageOptions) =>
    staticPage(read(name), {
      languages: visitorLanguages,
      translate: (html, language) => translatedPage(html, language, 'landing'),
      ...options,
    });
  const landing = open('index.html', { indexed: true });
  const handler = staff('handler.html');
  const admin = staff('admin.html');
  const template = read('visitor.html');
  const visitor = page(template, visitorLanguages, visitorPage(app, template), chat);
  return {
    notFound: open('notFound.html'),
    serve(server) {
      serveFiles(server, folder);
      server.get('/', landing);
      // Any token: the page's script checks it.
      const invite = '/i/:token(^.+$)';
      for (const path of [invite, `${invite}/`]) server.get(path, inItsCell(app, visitor));
      for (const path of ['/chat', '/chat/', `/chat/:token(^${MARK}$)`]) server.get(path, visitor);
      for (const path of ['/handler', '/handler/*', '/handler-test', '/handler-test/']) {
        server.get(path, handler);
      }
      for (const path of ['/admin', '/admin/*']) server.get(path, admin);
    },
  };
}

/** A link whose desk moved continues in the other cell. The router reads the address. */
function inItsCell(app: App, visitor: Page): Page {
  return async (request, reply) => {
    const { token = '' } = request.params as { token?: string };
    const { cell: asked } = request.query as { cell?: unknown };
    const cell = await cellOfInvite(app, token);
    if (cell === undefined || cell === asked) return visitor(request, reply);
    return reply.header('cache-control', 'no-store').redirect(`/i/${token}?cell=${cell}`);
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

type StaticPage<L extends Language> = PageOptions & {
  languages: readonly (L | 'en')[];
  translate: (html: string, language: L | 'en') => string;
};

/** A page that never changes while this process runs. */
function staticPage<L extends Language>(
  html: string,
  { languages, translate, ...options }: StaticPage<L>,
): Page {
  const pages = new Map<L | 'en', CompressedPage>();
  const render = (language: L | 'en'): CompressedPage => {
    const compressed = compress(translate(html, language));
    pages.set(language, compressed);
    return compressed;
  };
  // Rendering once at the start also finds a broken template.
  render('en');
  const content = async (language: L | 'en' = 'en') => pages.get(language) ?? render(language);
  return page(html, languages, content, options);
}

function page<L extends Language>(
  html: string,
  languages: readonly L[],
  content: (language: L | undefined, token: string) => Promise<CompressedPage>,
  options?: PageOptions,
): Page {
  const headers = pageHeaders(html, options);
  return async (request, reply) => {
    // Null for an address that cannot be decoded.
    const token = (request.params as { token?: string } | null)?.token ?? '';
    const compressed = await content(languageOf(request, languages), token);
    return sendCompressed(request, reply.headers(headers), compressed);
  };
}

/** Answers unknown paths: a page for people, where there are pages, and JSON for programs. */
export function unknownPath(page: Page | undefined): Page {
  return async (request, reply) => {
    reply.status(errors.not_found.status);
    // A token that fits no route: too long, or not decodable.
    if (request.url.startsWith('/checkInvite/')) {
      return reply.send({ success: false, ...calls.checkInvite.refused, error: texts.inviteNotFound });
    }
    if (page && wantsPage(request)) return page(request, reply);
    return reply.send({ success: false, error: texts.notFoundNote, code: 'not_found' });
  };
}

function wantsPage({ method, headers }: FastifyRequest): boolean {
  return ['GET', 'HEAD'].includes(method) && (headers.accept ?? '').includes('text/html');
}

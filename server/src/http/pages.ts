import { resolve } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';

const A_YEAR = 'public, max-age=31536000, immutable';

/** Scripts, styles and pictures of our own only; sockets to ourselves; nobody may frame us. */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/** The built pages. A path under /i or /handler is for its page's own script to read. */
export function servePages(server: FastifyInstance, folder: string): void {
  const webRoot = resolve(folder);
  server.register(fastifyStatic, {
    root: resolve(webRoot, 'assets'),
    prefix: '/assets/',
    cacheControl: false,
    setHeaders: (response) => void response.header('cache-control', A_YEAR),
  });
  const page = (name: string) => (_request: unknown, reply: FastifyReply) =>
    reply
      .header('content-security-policy', CONTENT_POLICY)
      .header('x-robots-tag', 'noindex')
      .sendFile(name, webRoot, { cacheControl: false });
  server.get('/', page('index.html'));
  server.get('/favicon.svg', page('favicon.svg'));
  server.get('/i/:token', page('visitor.html'));
  server.get('/chat', page('visitor.html'));
  server.get('/handler', page('handler.html'));
  server.get('/handler/*', page('handler.html'));
}

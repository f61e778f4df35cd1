import type { FastifyRequest } from 'fastify';
import type { App } from '../app.ts';
import { Refusal } from '../auth/refusal.ts';

/** True for pages of ours; the socket's upgrade asks this too. */
export function isOwnOrigin(app: Pick<App, 'config'>, origin: string | undefined): boolean {
  return origin === app.config.publicUrl;
}

/**
 * For calls that a cookie speaks for: another site's page can make the browser send the cookie, but
 * not say that it comes from us. Browsers name the origin in everything but plain GETs.
 */
export function demandOwnOrigin(app: Pick<App, 'config'>, request: FastifyRequest): void {
  const { origin } = request.headers;
  if (origin === undefined && request.method === 'GET') return;
  if (!isOwnOrigin(app, origin)) throw new Refusal('access_denied');
}

/** For calls that need no cookie but set one: who is no browser may leave the origin out. */
export function refuseForeignOrigin(app: Pick<App, 'config'>, request: FastifyRequest): void {
  const { origin } = request.headers;
  if (origin !== undefined && !isOwnOrigin(app, origin)) throw new Refusal('access_denied');
}

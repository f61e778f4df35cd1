import type { FastifyRequest } from 'fastify';
import type { App } from '../app.ts';
import { Refusal } from '../auth/refusal.ts';

export function isOwnOrigin(app: Pick<App, 'config'>, origin: string | undefined): boolean {
  return origin === app.config.publicUrl;
}

/**
 * For calls that a cookie authenticates: the page of another site can make the browser send the cookie, but cannot
 * forge the Origin header. Browsers omit the header in plain GETs only.
 */
export function requireOwnOrigin(app: Pick<App, 'config'>, request: FastifyRequest): void {
  const { origin } = request.headers;
  if (origin === undefined && request.method === 'GET') return;
  if (!isOwnOrigin(app, origin)) throw new Refusal('access_denied');
}

/** For calls that set a cookie but need none: clients that are no browsers may omit the Origin header. */
export function refuseForeignOrigin(app: Pick<App, 'config'>, request: FastifyRequest): void {
  const { origin } = request.headers;
  if (origin !== undefined && !isOwnOrigin(app, origin)) throw new Refusal('access_denied');
}

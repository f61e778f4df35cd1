import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../platform/config/config.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';
import { withTimeout } from '../platform/limits/concurrency.ts';
import { type Log, reason } from '../platform/log/log.ts';
import { type Backlog, readBacklog } from './backlog.store.ts';
import { type ProcessState, readinessCheck } from './readiness.ts';

/**
 * Separate connections: a gateway whose pool is exhausted is busy, not unhealthy. Two, so that a slow query for
 * /metrics does not delay /readyz.
 */
export const PRIVATE_CONNECTIONS = 2;
const TIMEOUTS = { connectMs: 2_000, queryMs: 2_000 };

const BACKLOG_CACHE_MS = 10_000;
/** A scrape must not hang with the database. */
const BACKLOG_TIMEOUT_MS = 2_000;

type MetricsText = { contentType: string; text(backlog: Backlog | undefined): Promise<string> };

type Answer = { status: number; type: string; body: string };
type Endpoint = () => Promise<Answer>;

/**
 * Health, readiness and metrics for operators. A separate server, so that a mistake in a proxy or a route cannot expose
 * them to the public. Does nothing without PRIVATE_PORT.
 */
export async function openPrivatePort(parts: {
  config: Config;
  log: Log;
  state: () => ProcessState;
  metrics: MetricsText;
}): Promise<{ close(): Promise<void> }> {
  const { config, log, state, metrics } = parts;
  if (config.privatePort === undefined) return { close: async () => {} };
  const db = openDatabase(config.databaseUrl, PRIVATE_CONNECTIONS, TIMEOUTS);
  const answer = createHandler(endpointsOf(db, state, metrics), log);
  const server = createServer((request, response) => void answer(request, response));
  // Never shared by several gateways.
  server.listen({ port: config.privatePort, host: config.privateHost, exclusive: true });
  await once(server, 'listening');
  // A failed connection, such as for lack of file descriptors, must not end the process.
  server.on('error', (error) => log.error({ reason: reason(error) }, 'private port failed'));
  const { port } = server.address() as AddressInfo;
  log.info({ url: `http://${config.privateHost}:${port}` }, 'private port');
  return {
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await db.close();
    },
  };
}

function endpointsOf(db: Database, state: () => ProcessState, metrics: MetricsText): Map<string, Endpoint> {
  const backlog = cachedBacklog(db);
  const readiness = readinessCheck(db, state);
  return new Map<string, Endpoint>([
    ['/healthz', async () => json(200, { alive: true })],
    [
      '/readyz',
      async () => {
        const now = await readiness();
        return json(now.ready ? 200 : 503, now);
      },
    ],
    [
      '/metrics',
      async () => ({ status: 200, type: metrics.contentType, body: await metrics.text(await backlog()) }),
    ],
  ]);
}

function createHandler(endpoints: Map<string, Endpoint>, log: Log) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const endpoint = endpoints.get(request.url?.split('?', 1)[0] ?? '');
    const readable = request.method === 'GET' || request.method === 'HEAD';
    const { status, type, body } =
      endpoint === undefined || !readable
        ? json(404, {})
        : await endpoint().catch((error) => failed(log, error));
    response.writeHead(status, {
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
}

function failed(log: Log, error: unknown): Answer {
  log.error({ reason: reason(error) }, 'private port failed');
  return json(500, {});
}

function json(status: number, body: object): Answer {
  return { status, type: 'application/json', body: `${JSON.stringify(body)}\n` };
}

/** The backlog, read at most every ten seconds; undefined while it cannot be read. */
function cachedBacklog(db: Database): () => Promise<Backlog | undefined> {
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<Backlog | undefined> = Promise.resolve(undefined);
  return () => {
    if (performance.now() - readAt >= BACKLOG_CACHE_MS) {
      readAt = performance.now();
      reading = withTimeout(BACKLOG_TIMEOUT_MS, readBacklog(db)).catch(() => undefined);
    }
    return reading;
  };
}

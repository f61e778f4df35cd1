import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../config/config.ts';
import type { Backlog } from '../db/engine/backlog.ts';
import { type Database, openDatabase } from '../db/engine/database.ts';
import { type Log, reason } from '../log/log.ts';
import { freshBacklog } from './freshBacklog.ts';
import { type Standing, watchReadiness } from './readiness.ts';

/**
 * Connections of its own: a gateway whose calls have taken all of theirs is busy, not ill. Two, so that a slow look at
 * what waits, for /metrics, keeps nobody waiting at /readyz.
 */
export const PRIVATE_CONNECTIONS = 2;
const PATIENCE = { connectMs: 2_000, queryMs: 2_000 };

/** What of the metrics is for reading. */
type Exposed = { contentType: string; text(backlog: Backlog | undefined): Promise<string> };

type Answer = { status: number; type: string; body: string };
type Page = () => Promise<Answer>;

/**
 * What operators and their programs ask: alive, ready, how it goes. A server of its own, so that no mistake in a proxy
 * or in a route can show any of it to the world. Does nothing without PRIVATE_PORT.
 */
export async function openPrivatePort(parts: {
  config: Config;
  log: Log;
  standing: () => Standing;
  metrics: Exposed;
}): Promise<{ close(): Promise<void> }> {
  const { config, log, standing, metrics } = parts;
  if (config.privatePort === undefined) return { close: async () => {} };
  const db = openDatabase(config.databaseUrl, PRIVATE_CONNECTIONS, PATIENCE);
  const answer = answering(pagesOf(db, standing, metrics), log);
  const server = createServer((request, response) => void answer(request, response));
  server.listen(config.privatePort, config.privateHost);
  await once(server, 'listening');
  // A connection that could not be taken, say for want of files, must not end the process that serves people.
  server.on('error', (error) => log.error({ reason: reason(error) }, 'private port'));
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

function pagesOf(db: Database, standing: () => Standing, metrics: Exposed): Map<string, Page> {
  const backlog = freshBacklog(db);
  const readiness = watchReadiness(db, standing);
  return new Map<string, Page>([
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

function answering(pages: Map<string, Page>, log: Log) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const page = pages.get(request.url?.split('?', 1)[0] ?? '');
    const asks = request.method === 'GET' || request.method === 'HEAD';
    const { status, type, body } =
      page === undefined || !asks ? json(404, {}) : await page().catch((error) => failed(log, error));
    response.writeHead(status, {
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
}

function failed(log: Log, error: unknown): Answer {
  log.error({ reason: reason(error) }, 'private port');
  return json(500, {});
}

function json(status: number, body: object): Answer {
  return { status, type: 'application/json', body: `${JSON.stringify(body)}\n` };
}

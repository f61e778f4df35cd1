import type pg from 'pg';
import { inject } from 'vitest';
import { connectNats } from '../../src/platform/adapters/nats.ts';
import { systemClock, systemRandom } from '../../src/platform/adapters/system.ts';
import type { App } from '../../src/platform/app.ts';
import { type Config, readConfig } from '../../src/platform/config/config.ts';
import { withClient } from '../../src/platform/db/withClient.ts';
import { createLog } from '../../src/platform/log/log.ts';
import type { SecurityLog } from '../../src/platform/log/securityLog.ts';
import type { Metrics } from '../../src/platform/metrics/metrics.ts';
import type { Bus, Clock, MediaStore, PushSender, Traces } from '../../src/platform/ports/ports.ts';
import { type Gateway, startGateway } from '../../src/start/gateway.ts';
import { createTestDatabase } from './database.ts';
import { testMedia } from './testMedia.ts';

/**
 * A gateway goes on without its subscriptions if NATS is slow: the sweep finds what it misses. Tests without a sweep, and
 * hints that no sweep repeats, need them.
 */
const READY_MS = 30_000;

export type Reply = {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
  headers: Headers;
  /** All cookies that were set, by name. */
  cookies: Record<string, string>;
};

/** What a test can change about a gateway. `throughBus` wraps its bus. */
type Changes = {
  config?: Partial<Config>;
  clock?: Clock;
  media?: MediaStore;
  push?: PushSender;
  traces?: Traces;
  metrics?: Metrics;
  security?: SecurityLog;
  throughBus?: (bus: Bus) => Bus;
  /** An existing migrated database. */
  databaseUrl?: string;
};

export type TestServer = {
  app: App;
  url: string;
  databaseUrl: string;
  ownerUrl: string;
  /** Runs a statement as the owner of the tables. The gateway's own role cannot alter them. */
  asOwner(text: string, values?: unknown[]): Promise<pg.QueryResult>;
  served: Gateway['served'];
  state: Gateway['state'];
  request(
    method: string,
    path: string,
    options?: { token?: string; body?: unknown; headers?: Record<string, string>; cookie?: string },
  ): Promise<Reply>;
  /** Starts another gateway on the same database and bus. */
  startAnother(options?: Changes): Promise<Gateway>;
  close(): Promise<void>;
};

/** Starts a real gateway on real engines with a new database. */
export async function startTestServer(options: Changes = {}): Promise<TestServer> {
  const given = options.databaseUrl;
  const database = given === undefined ? await createTestDatabase() : { url: given, ownerUrl: given };
  const others: Gateway[] = [];
  const start = (more: Changes): Promise<Gateway> =>
    startTestGateway(database.url, {
      ...more,
      config: { ...options.config, ...more.config },
    });
  const gateway = await start(options);
  return {
    app: gateway.app,
    url: gateway.url,
    databaseUrl: database.url,
    ownerUrl: database.ownerUrl,
    asOwner: (text, values) =>
      withClient({ connectionString: database.ownerUrl }, (client) => client.query(text, values)),
    served: gateway.served,
    state: gateway.state,
    request: (method, path, what) => request(gateway, method, path, what),
    async startAnother(more = {}) {
      const other = await start(more);
      others.push(other);
      return other;
    },
    async close() {
      for (const each of [gateway, ...others]) await each.stop();
    },
  };
}

async function startTestGateway(databaseUrl: string, options: Changes): Promise<Gateway> {
  const engines = inject('engines');
  const config: Config = {
    ...readConfig({
      DATABASE_URL: databaseUrl,
      NATS_URL: engines.NATS_URL,
      ALLOW_UNSAFE_DATABASE: 'true',
      SECRET: 'a secret for tests, long enough to pass',
      PUBLIC_URL: 'http://settee.test',
      PORT: '0',
      LOG_LEVEL: 'fatal',
      SWEEP_SECONDS: '1',
      // All tests come from one address.
      LIMIT_FACTOR: '1000',
    }),
    ...options.config,
  };
  // Each test's database is a separate cell, but all share one NATS: the account name separates them.
  const bus = await connectNats(config.natsUrl ?? '', new URL(databaseUrl).pathname.slice(1), READY_MS);
  const clock = options.clock ?? systemClock;
  const gateway = await startGateway({
    config,
    bus: options.throughBus?.(bus) ?? bus,
    media: options.media ?? testMedia(clock),
    push: options.push,
    traces: options.traces,
    clock,
    random: systemRandom,
    log: createLog(config.logLevel),
    ...(options.metrics !== undefined && { metrics: options.metrics }),
    ...(options.security !== undefined && { security: options.security }),
    onLeaseLost: () => {
      throw new Error('the test gateway lost its lease');
    },
  });
  await bus.ready();
  return gateway;
}

export async function request(
  gateway: Gateway,
  method: string,
  path: string,
  options: { token?: string; body?: unknown; headers?: Record<string, string>; cookie?: string } = {},
): Promise<Reply> {
  // Bytes are sent unchanged; the headers contain their type.
  const raw = options.body instanceof Uint8Array;
  const response = await fetch(gateway.url + path, {
    method,
    redirect: 'manual',
    headers: {
      origin: gateway.app.config.publicUrl,
      ...(options.body !== undefined && !raw && { 'content-type': 'application/json' }),
      ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
      ...(options.cookie !== undefined && { cookie: options.cookie }),
      ...options.headers,
    },
    ...(options.body !== undefined && {
      body: raw ? (options.body as Uint8Array<ArrayBuffer>) : JSON.stringify(options.body),
    }),
  });
  const text = await response.text();
  const cookies = Object.fromEntries(
    response.headers.getSetCookie().map((line) => {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
  return { status: response.status, body: parse(text), headers: response.headers, cookies };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

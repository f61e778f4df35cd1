import type { AddressInfo } from 'node:net';
import { settleSecret } from './actions/staff/settleSecret.ts';
import type { App } from './app.ts';
import type { Config } from './config/config.ts';
import { countConnections, openDatabase } from './db/engine/database.ts';
import { Appender } from './db/message/appender.ts';
import { readProfile } from './db/profile/brand.ts';
import { serveMedia } from './http/diskMedia.ts';
import { serveManifests } from './http/manifests.ts';
import { readPages, unknownPath } from './http/pages.ts';
import { serveAvatars } from './http/profile.ts';
import { createRoutes } from './http/routes.ts';
import { createHttpServer } from './http/server.ts';
import { SendBudgets } from './limits/sendBudgets.ts';
import { countedBus } from './live/countedBus.ts';
import { Hub } from './live/hub.ts';
import { holdLease } from './live/lease.ts';
import { Presence } from './live/presence.ts';
import { deskBook, peopleBook } from './live/presenceBooks.ts';
import { SearchIndexer } from './live/searchIndexer.ts';
import { SocketServer } from './live/socketServer.ts';
import { Sweep } from './live/sweep.ts';
import { Visitors } from './live/visitors.ts';
import type { Log } from './log/log.ts';
import { DatabaseClock } from './metrics/databaseClock.ts';
import type { Metrics } from './metrics/metrics.ts';
import { noopMetrics } from './metrics/noopMetrics.ts';
import type { Bus, Clock, MediaStore, PushSender, Random, ServedMediaStore, Traces } from './ports.ts';
import type { ProcessState } from './private/readiness.ts';

const SECRET_UNKNOWN =
  'SECRET is not the one that this database was used with: visitors are signed out, and authenticator apps and recovery codes do not work. Put the old SECRET back, or into SECRET_PREVIOUS to change it. If it is lost: settee secret accept';

export type Gateway = {
  app: App;
  url: string;
  /** Everything that HTTP answers here, by method and pattern: the access matrix must know each of them. */
  served: readonly { method: string; url: string }[];
  state(): Pick<ProcessState, 'holdsLease' | 'doubt'>;
  stop(): Promise<void>;
};

/** What differs between the product and a test is handed in; the rest is put together here, once. */
export async function startGateway(parts: {
  config: Config;
  bus: Bus;
  media: MediaStore | ServedMediaStore;
  push?: PushSender | undefined;
  traces?: Traces | undefined;
  clock: Clock;
  random: Random;
  log: Log;
  metrics?: Metrics;
  onLeaseLost: () => void;
}): Promise<Gateway> {
  const { config, media, push, traces, clock, random, log, metrics = noopMetrics } = parts;
  const bus = countedBus(parts.bus, metrics);
  const db = openDatabase(config.databaseUrl, config.databaseConnections);
  const gatewayId = random.uuid();
  const lease = await holdLease(db, {
    gatewayId,
    alone: config.natsUrl === undefined,
    clock,
    onLost: parts.onLeaseLost,
  });
  if ((await settleSecret({ config, db, random })) === 'unknown') log.error({}, SECRET_UNKNOWN);
  const appender = new Appender(config.databaseUrl, config.appendLanes, metrics);
  const databaseClock = new DatabaseClock(db, clock);
  metrics.watchConnections(() => countConnections(db));
  const ending = new AbortController();
  const { signal: stopping } = ending;
  const app = {
    config,
    db,
    appender,
    media,
    push,
    traces,
    clock,
    random,
    log,
    sendBudgets: new SendBudgets(clock, config),
    metrics,
    databaseClock,
    stopping,
  } as App;
  const hub = new Hub(app, bus, await readProfile(db));
  app.announce = hub;
  hub.refreshProfile();

  const pages = readPages(app);
  const server = createHttpServer(app, createRoutes(app), unknownPath(pages?.notFound));
  const served: { method: string; url: string }[] = [];
  server.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) served.push({ method: each, url });
  });
  pages?.serve(server);
  serveManifests(app, server);
  serveAvatars(app, server);
  if ('receive' in media) serveMedia(server, media);
  const presence = new Presence(app, gatewayId, deskBook);
  const people = new Presence(app, gatewayId, peopleBook);
  const sockets = new SocketServer(app, hub, { desks: presence, people }, server.server);
  const visitors = new Visitors(app, bus, gatewayId, hub);
  const sweep = new Sweep(app, hub, presence, bus);
  const searchIndexer = new SearchIndexer(app, hub.desks);
  await server.listen({ port: config.port, host: config.host });
  const { port } = server.server.address() as AddressInfo;

  /** Sockets first, so that their clients are on their way elsewhere while the rest finishes. */
  const stop = async (): Promise<void> => {
    presence.beginStop();
    people.beginStop();
    await sockets.drain();
    visitors.stop();
    // Not before: until here HTTP serves as ever, and that can be many seconds.
    ending.abort();
    await server.close();
    await appender.close();
    await sweep.stop();
    await searchIndexer.stop();
    await presence.stop();
    await people.stop();
    databaseClock.stop();
    await lease.end();
    await bus.close();
    await db.close();
    await traces?.close();
  };
  let stopped: Promise<void> | undefined;
  return {
    app,
    url: `http://${config.host}:${port}`,
    served,
    state: () => ({
      holdsLease: lease.isHeld(),
      ...(appender.isInDoubt() && { doubt: { end: () => appender.endDoubt() } }),
    }),
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

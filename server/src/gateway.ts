import type { AddressInfo } from 'node:net';
import { reconcileSecret } from './actions/staff/reconcileSecret.ts';
import type { App } from './app.ts';
import type { Config } from './config/config.ts';
import { countConnections, openDatabase, RESERVED } from './db/engine/database.ts';
import { DatabaseClock } from './db/engine/databaseClock.ts';
import { holdLease } from './db/engine/gatewayLease.ts';
import { requireDisk } from './db/engine/requireDisk.ts';
import { Appender } from './db/message/appender.ts';
import { readProfile } from './db/profile/brand.ts';
import { serveMedia } from './http/diskMedia.ts';
import { identify } from './http/identify.ts';
import { serveManifests } from './http/manifests.ts';
import { paceConnections } from './http/paceConnections.ts';
import { readPages, unknownPath } from './http/pages.ts';
import { serveAvatars } from './http/profile.ts';
import { createRoutes } from './http/routes.ts';
import { createHttpServer } from './http/server.ts';
import { serveSingleSignOn } from './http/singleSignOn.ts';
import { serveUnsubscribe } from './http/unsubscribe.ts';
import { SendBudgets } from './limits/sendBudgets.ts';
import { VisitorReads } from './limits/visitorReads.ts';
import { Hub } from './live/hub.ts';
import { startMailPresence } from './live/mailPresence.ts';
import { deskPresenceStore, Presence, staffPresenceStore } from './live/presence.ts';
import { SearchIndexer } from './live/searchIndexer.ts';
import { SocketServer } from './live/socketServer.ts';
import { Sweep } from './live/sweep.ts';
import { Visitors } from './live/visitors.ts';
import type { Log } from './log/log.ts';
import { type SecurityLog, silentSecurityLog } from './log/securityLog.ts';
import type { Metrics } from './metrics/metrics.ts';
import { noopMetrics } from './metrics/noopMetrics.ts';
import type { Bus, Clock, MediaStore, PushSender, Random, ServedMediaStore, Traces } from './ports.ts';
import type { ProcessState } from './private/readiness.ts';

/** At shutdown, requests in progress get this time. */
const REQUESTS_MS = 10_000;

const SECRET_UNKNOWN =
  'SECRET does not match this database: visitors are signed out, and authenticator apps and recovery codes do not work. Restore the old SECRET, or set it as SECRET_PREVIOUS to change it. If it is lost: settee secret accept';

export type Gateway = {
  app: App;
  url: string;
  /** All HTTP routes. The access matrix must list each of them. */
  served: readonly { method: string; url: string }[];
  state(): Pick<ProcessState, 'holdsLease' | 'doubt'>;
  stop(): Promise<void>;
};

/** Starts a gateway. `parts` are what differs between the product and tests. */
export async function startGateway(parts: {
  config: Config;
  bus: Bus;
  media: MediaStore | ServedMediaStore;
  push?: PushSender | undefined;
  traces?: Traces | undefined;
  clock: Clock;
  random: Random;
  log: Log;
  security?: SecurityLog;
  metrics?: Metrics;
  onLeaseLost: () => void;
}): Promise<Gateway> {
  const { config, media, push, traces, clock, random, log, metrics = noopMetrics } = parts;
  const { security = silentSecurityLog } = parts;
  const bus = withMetrics(parts.bus, metrics);
  const db = openDatabase(config.databaseUrl, config.databaseConnections);
  const reserved = openDatabase(config.databaseUrl, RESERVED.connections, RESERVED);
  await requireDisk(db, config);
  const gatewayId = random.uuid();
  const lease = await holdLease(db, {
    gatewayId,
    alone: config.natsUrl === undefined,
    clock,
    onLost: parts.onLeaseLost,
  });
  if ((await reconcileSecret({ config, db, random })) === 'unknown') log.error({}, SECRET_UNKNOWN);
  const appender = new Appender(config.databaseUrl, config.appendLanes, metrics);
  const databaseClock = new DatabaseClock(db, clock);
  metrics.watchConnections(() => countConnections(db));
  metrics.watchConnections(() => countConnections(reserved));
  const ending = new AbortController();
  const { signal: stopping } = ending;
  const app = {
    config,
    db,
    reserved,
    appender,
    media,
    push,
    traces,
    clock,
    random,
    log,
    security,
    sendBudgets: new SendBudgets(clock, config),
    visitorReads: new VisitorReads(config.databaseConnections),
    metrics,
    databaseClock,
    stopping,
  } as Omit<App, 'announce'> as App;
  const hub = new Hub(app, bus, await readProfile(db));
  app.announce = hub;
  hub.refreshProfile();

  const pages = readPages(app);
  const server = createHttpServer(app, {
    routes: createRoutes(app),
    identify,
    unknown: unknownPath(pages?.notFound),
  });
  const served: { method: string; url: string }[] = [];
  server.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) served.push({ method: each, url });
  });
  pages?.serve(server);
  serveManifests(app, server);
  serveAvatars(app, server);
  serveSingleSignOn(app, server);
  serveUnsubscribe(app, server);
  if ('receive' in media) serveMedia(server, media);
  const presence = {
    desks: new Presence(app, gatewayId, deskPresenceStore),
    staff: new Presence(app, gatewayId, staffPresenceStore),
  };
  const closeSilent = paceConnections(server.server, config);
  const sockets = new SocketServer(app, hub, presence, server.server);
  const visitors = new Visitors(app, bus, gatewayId, hub);
  const sweep = new Sweep(app, hub, presence.desks, bus);
  const searchIndexer = new SearchIndexer(app, hub.desks);
  const mailPresence = config.mail && startMailPresence(app, hub.rooms);
  await server.listen({ port: config.port, host: config.host });
  const { port } = server.server.address() as AddressInfo;

  /** Closes the sockets first, so that clients reconnect elsewhere while the rest finishes. */
  const stop = async (): Promise<void> => {
    presence.desks.beginStop();
    presence.staff.beginStop();
    await sockets.drain();
    visitors.stop();
    // Only now: HTTP keeps serving while the sockets close, which can take many seconds.
    ending.abort();
    const closed = server.close();
    closeSilent();
    const cut = setTimeout(() => server.server.closeAllConnections(), REQUESTS_MS);
    await closed;
    clearTimeout(cut);
    await appender.close();
    await sweep.stop();
    await searchIndexer.stop();
    await mailPresence?.stop();
    await presence.desks.stop();
    await presence.staff.stop();
    databaseClock.stop();
    await lease.end();
    await bus.close();
    await db.close();
    await reserved.close();
    await traces?.close();
    security.flush();
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

/** Counts every hint that goes out or comes in. */
function withMetrics(bus: Bus, metrics: Metrics): Bus {
  type Listener = Parameters<Bus['subscribe']>[1];
  metrics.watchBus(() => bus.isConnected());
  /** Many subscriptions share a listener. */
  const counting = new WeakMap<Listener, Listener>();
  return {
    ...bus,
    subscribe(pattern, listener) {
      const counted: Listener =
        counting.get(listener) ??
        ((subject, payload) => {
          metrics.hint('in');
          listener(subject, payload);
        });
      counting.set(listener, counted);
      return bus.subscribe(pattern, counted);
    },
    publish(subject, payload) {
      metrics.hint('out');
      bus.publish(subject, payload);
    },
  };
}

import type { AddressInfo } from 'node:net';
import { Hub } from '../live/hub.ts';
import { startMailPresence } from '../live/mailPresence.ts';
import { deskPresenceStore, Presence, staffPresenceStore } from '../live/presence.ts';
import { SearchIndexer } from '../live/searchIndexer.ts';
import { SocketServer } from '../live/socketServer.ts';
import { Sweep } from '../live/sweep.ts';
import { Visitors } from '../live/visitors.ts';
import { serveUnsubscribe } from '../mail/unsubscribe.routes.ts';
import { serveMedia } from '../media/diskMedia.routes.ts';
import { Appender } from '../messages/appender.store.ts';
import { serveManifests } from '../pages/manifests.ts';
import { readPages, unknownPath } from '../pages/pages.ts';
import type { App } from '../platform/app.ts';
import type { Config } from '../platform/config/config.ts';
import { countConnections, openDatabase, RESERVED } from '../platform/db/database.ts';
import { DatabaseClock } from '../platform/db/databaseClock.ts';
import { holdLease } from '../platform/db/gatewayLease.ts';
import { requireDisk } from '../platform/db/requireDisk.ts';
import { paceConnections } from '../platform/http/paceConnections.ts';
import { createHttpServer } from '../platform/http/server.ts';
import { SendBudgets } from '../platform/limits/sendBudgets.ts';
import { VisitorReads } from '../platform/limits/visitorReads.ts';
import type { Log } from '../platform/log/log.ts';
import { type SecurityLog, silentSecurityLog } from '../platform/log/securityLog.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import { noopMetrics } from '../platform/metrics/noopMetrics.ts';
import type {
  Bus,
  Clock,
  MediaStore,
  PushSender,
  Random,
  ServedMediaStore,
  Traces,
} from '../platform/ports/ports.ts';
import type { ProcessState } from '../private/readiness.ts';
import { readProfiles } from '../profile/brand.store.ts';
import { serveAvatars } from '../profile/profile.routes.ts';
import { reconcileSecret } from '../reconcileSecret.ts';
import { serveSingleSignOn } from '../staff/signIn/singleSignOn.routes.ts';
import { identify } from './identify.ts';
import { createRoutes } from './routes.ts';

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
  const hub = new Hub(app, bus, await readProfiles(db));
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

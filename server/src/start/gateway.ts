import type { Server } from 'node:http';
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
import { countConnections, openDatabase, RESERVED } from '../platform/db/database.ts';
import { DatabaseClock } from '../platform/db/databaseClock.ts';
import { holdLease } from '../platform/db/gatewayLease.ts';
import { requireDisk } from '../platform/db/requireDisk.ts';
import { paceConnections } from '../platform/http/paceConnections.ts';
import { createHttpServer } from '../platform/http/server.ts';
import { SendBudgets } from '../platform/limits/sendBudgets.ts';
import { VisitorReads } from '../platform/limits/visitorReads.ts';
import { silentSecurityLog } from '../platform/log/securityLog.ts';
import { countHints } from '../platform/metrics/countHints.ts';
import { noopMetrics } from '../platform/metrics/noopMetrics.ts';
import type { Bus, MediaStore, ServedMediaStore } from '../platform/ports/ports.ts';
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

type Parts = Pick<App, 'config' | 'clock' | 'random' | 'log'> &
  Partial<Pick<App, 'push' | 'traces' | 'security' | 'metrics'>> & {
    bus: Bus;
    media: MediaStore | ServedMediaStore;
    onLeaseLost: () => void;
  };

/** Starts a gateway. `parts` are what differs between the product and tests. */
export async function startGateway(parts: Parts): Promise<Gateway> {
  const { config, media, push, traces, clock, random, log, metrics = noopMetrics } = parts;
  const { security = silentSecurityLog } = parts;
  const bus = countHints(parts.bus, metrics);
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
  metrics.watchConnections(() => countConnections(db));
  metrics.watchConnections(() => countConnections(reserved));
  const ending = new AbortController();
  const app: App = {
    config,
    db,
    reserved,
    appender,
    // The hub needs the app too.
    get announce() {
      return hub;
    },
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
    databaseClock: new DatabaseClock(db, clock),
    stopping: ending.signal,
  };
  const hub = new Hub(app, bus, await readProfiles(db));
  hub.refreshProfile();
  const http = buildServer(app, media);
  const live = startLive(app, hub, { bus, gatewayId, server: http.server.server });
  await http.server.listen({ port: config.port, host: config.host });
  const { port } = http.server.server.address() as AddressInfo;
  let stopped: Promise<void> | undefined;
  return {
    app,
    url: `http://${config.host}:${port}`,
    served: http.served,
    state: () => ({
      holdsLease: lease.isHeld(),
      ...(appender.isInDoubt() && { doubt: { end: () => appender.endDoubt() } }),
    }),
    stop: () => {
      stopped ??= stopGateway({ app, bus, lease, ending, http, live });
      return stopped;
    },
  };
}

function buildServer(app: App, media: Parts['media']) {
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
  return { server, served, closeSilent: paceConnections(server.server, app.config) };
}

type LiveParts = { bus: Bus; gatewayId: string; server: Server };

function startLive(app: App, hub: Hub, { bus, gatewayId, server }: LiveParts) {
  const presence = {
    desks: new Presence(app, gatewayId, deskPresenceStore),
    staff: new Presence(app, gatewayId, staffPresenceStore),
  };
  return {
    presence,
    sockets: new SocketServer(app, hub, presence, server),
    visitors: new Visitors(app, bus, gatewayId, hub),
    sweep: new Sweep(app, hub, presence.desks, bus),
    searchIndexer: new SearchIndexer(app, hub.desks),
    mailPresence: app.config.mail && startMailPresence(app, hub.rooms),
  };
}

type Running = {
  app: App;
  bus: Bus;
  lease: Awaited<ReturnType<typeof holdLease>>;
  ending: AbortController;
  http: ReturnType<typeof buildServer>;
  live: ReturnType<typeof startLive>;
};

/** Closes the sockets first, so that clients reconnect elsewhere while the rest finishes. */
async function stopGateway({ app, bus, lease, ending, http, live }: Running): Promise<void> {
  const { presence, sockets, visitors, sweep, searchIndexer, mailPresence } = live;
  presence.desks.beginStop();
  presence.staff.beginStop();
  await sockets.drain();
  visitors.stop();
  // Only now: HTTP keeps serving while the sockets close, which can take many seconds.
  ending.abort();
  const closed = http.server.close();
  http.closeSilent();
  const cut = setTimeout(() => http.server.server.closeAllConnections(), REQUESTS_MS);
  await closed;
  clearTimeout(cut);
  await app.appender.close();
  await sweep.stop();
  await searchIndexer.stop();
  await mailPresence?.stop();
  await presence.desks.stop();
  await presence.staff.stop();
  app.databaseClock.stop();
  await lease.end();
  await bus.close();
  await app.db.close();
  await app.reserved.close();
  await app.traces?.close();
  app.security.flush();
}

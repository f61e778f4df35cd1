import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import type { Message } from '@settee/protocol/model/message';
import {
  type App,
  Appender,
  type Bus,
  type Caller,
  callerFromIdToken,
  codeOf,
  DatabaseClock,
  Desk,
  deskPresenceStore,
  Hub,
  type MediaStore,
  noopMetrics,
  Presence,
  Refusal,
  readConfig,
  readProfiles,
  SendBudgets,
  SocketServer,
  Sweep,
  silentSecurityLog,
  staffPresenceStore,
  VisitorReads,
  Visitors,
} from '../../server/testing/simulation.ts';
import type { Random } from '../proof/random.ts';
import type { ModelDatabase } from './model/model.ts';
import type { Link } from './network.ts';
import { serverStream } from './replaced/packages.ts';
import { type Owner, virtualClock } from './time.ts';

const PUBLIC_URL = 'http://localhost:8080';

export const config = readConfig({
  DATABASE_URL: 'postgres://model/settee',
  SECRET: 'a secret of the simulation, which protects nothing',
  NATS_URL: 'nats://model',
  PUBLIC_URL,
  SECOND_FACTOR: 'optional',
  // People write faster here.
  SEND_PER_SECOND: '20',
  // Of one address come all pages.
  LIMIT_FACTOR: '100',
});

/** Called when a gateway has heard of a message at one of its desks. */
export const heard: { at: (alias: string, message: Message) => void } = { at: () => {} };
const { receive } = Desk.prototype;
Desk.prototype.receive = function (this: Desk, message, unread) {
  receive.call(this, message, unread);
  heard.at(this.alias, message);
};

export type Parts = {
  owner: Owner;
  url: string;
  db: ModelDatabase;
  bus: Bus;
  media: MediaStore;
  random: Random;
  /** Messages of a visitor in a burst. */
  sendBurst: number;
  /** It is of the previous release. */
  previous: boolean;
};

/** A gateway: the parts of server/src/start/gateway.ts without HTTP. */
export class Gateway {
  readonly owner: Owner;
  readonly app: App;
  readonly hub: Hub;
  readonly previous: boolean;
  readonly #upgrades = new EventEmitter();
  readonly #stop: () => Promise<void>;

  private constructor(app: App, hub: Hub, { owner, bus, previous }: Parts) {
    this.owner = owner;
    this.previous = previous;
    this.app = app;
    this.hub = hub;
    const gatewayId = app.random.uuid();
    hub.refreshProfile();
    const presence = {
      desks: new Presence(app, gatewayId, deskPresenceStore),
      staff: new Presence(app, gatewayId, staffPresenceStore),
    };
    const sockets = new SocketServer(app, hub, presence, this.#upgrades as unknown as Server);
    const visitors = new Visitors(app, bus, gatewayId, hub);
    const sweep = new Sweep(app, hub, presence.desks, bus);
    // The order of gateway.ts.
    this.#stop = async () => {
      presence.desks.beginStop();
      presence.staff.beginStop();
      await sockets.drain();
      visitors.stop();
      await app.appender.close();
      await sweep.stop();
      await presence.desks.stop();
      await presence.staff.stop();
      app.databaseClock.stop();
      await bus.close();
    };
  }

  static async start(parts: Parts): Promise<Gateway> {
    const { db, bus, media, random, url, sendBurst } = parts;
    const app = {
      config: { ...config, databaseUrl: url },
      db,
      reserved: db,
      appender: new Appender(url, config.appendLanes),
      media,
      push: undefined,
      traces: undefined,
      clock: virtualClock,
      random: {
        bytes: (length: number) => Uint8Array.from({ length }, () => random.whole(0, 255)),
        uuid: () => random.uuid(),
        below: (limit: number) => random.whole(0, limit - 1),
      },
      log: { info() {}, warn() {}, error() {} },
      security: silentSecurityLog,
      sendBudgets: new SendBudgets(virtualClock, { ...config, sendBurst }),
      visitorReads: new VisitorReads(config.databaseConnections),
      metrics: noopMetrics,
      databaseClock: new DatabaseClock(db, virtualClock),
      stopping: new AbortController().signal,
    } as unknown as App;
    const hub = new Hub(app, bus, await readProfiles(db));
    app.announce = hub;
    return new Gateway(app, hub, parts);
  }

  accept(link: Link, address: string, isStaff: boolean): void {
    const request = {
      url: '/live',
      headers: { origin: PUBLIC_URL, ...(isStaff && { cookie: 'settee-staff=x' }) },
      socket: { remoteAddress: address },
    };
    this.#upgrades.emit('upgrade', request, serverStream(link), Buffer.alloc(0));
  }

  /** An HTTP call of a page with an ID token. */
  async call<T>(token: string, run: (app: App, caller: Caller) => Promise<T>): Promise<CallResult<T>> {
    try {
      const { caller } = await callerFromIdToken(this.app, token);
      return { ok: true, answer: await run(this.app, caller) };
    } catch (error) {
      if (error instanceof Refusal) return { ok: false, code: error.code };
      return { ok: false, code: codeOf(this.app, error) };
    }
  }

  /** Like SIGTERM. */
  stop(): Promise<void> {
    return this.#stop();
  }
}

export type CallResult<T> = { ok: true; answer: T } | { ok: false; code: Refusal['code'] };

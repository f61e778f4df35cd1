import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  CLOSE_FINAL,
  CLOSE_RESTART,
  CLOSE_TRY_LATER,
  CLOSE_UNAUTHENTICATED,
  type CloseReason,
} from '@settee/protocol/down';
import { FRAME_MAX_BYTES, Up } from '@settee/protocol/up';
import { PROTOCOL_FLOOR, PROTOCOL_VERSION } from '@settee/protocol/version';
import * as v from 'valibot';
import { type WebSocket, WebSocketServer } from 'ws';
import type { App } from '../app.ts';
import { callerFromIdToken } from '../auth/callers.ts';
import type { Caller } from '../caller.ts';
import { isOwnOrigin } from '../http/origin.ts';
import { Connection } from './connection.ts';
import { codeOf, handleFrame } from './frames.ts';
import type { Hub } from './hub.ts';
import type { Presence } from './presence.ts';
import { SendBudget } from './sendBudget.ts';

const PATH = '/live';
const HELLO_MS = 10_000;
/** Silent lines die here: routers forget, phones sleep. */
const PING_MS = 30_000;
/** Frames that one socket may have waiting while an earlier one is being answered. */
const WAITING_MAX = 1_000;
/** After the last socket was told to leave, how long it may take to go. */
const DRAIN_MS = 5_000;
/** Members of staff are trusted people with consoles; their budget only stops runaways. */
const STAFF_BUDGET = { burst: 1_000_000, perSecond: 1_000_000 };

/** Where sockets come in: checks the Origin, waits for the hello, then hands frames on in order. */
export class Door {
  readonly #app: App;
  readonly #hub: Hub;
  readonly #presence: Presence;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: FRAME_MAX_BYTES,
    // Compression costs three quarters of the throughput and leaks secrets by length.
    perMessageDeflate: false,
    clientTracking: true,
  });
  readonly #visitors = new Map<string, SendBudget>();
  readonly #alive = new WeakSet<WebSocket>();
  readonly #pinging: NodeJS.Timeout;
  #draining = false;

  constructor(app: App, hub: Hub, presence: Presence, server: Server) {
    this.#app = app;
    this.#hub = hub;
    this.#presence = presence;
    server.on('upgrade', (request, stream, head) => this.#upgrade(request, stream, head));
    this.#pinging = setInterval(() => this.#ping(), PING_MS).unref();
  }

  /** Asks every socket to come back elsewhere and waits until they have gone. */
  async drain(): Promise<void> {
    this.#draining = true;
    clearInterval(this.#pinging);
    for (const socket of this.#sockets.clients) socket.close(CLOSE_RESTART, 'restarting');
    const deadline = Date.now() + DRAIN_MS;
    while (this.#sockets.clients.size > 0 && Date.now() < deadline) {
      await new Promise((done) => setTimeout(done, 50));
    }
    for (const socket of this.#sockets.clients) socket.terminate();
  }

  #upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    stream.on('error', () => stream.destroy());
    const path = request.url?.split('?', 1)[0];
    const foreign = !isOwnOrigin(this.#app, request.headers.origin);
    if (path !== PATH || foreign || this.#draining) {
      const status = path !== PATH ? '404 Not Found' : foreign ? '403 Forbidden' : '503 Service Unavailable';
      stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    this.#sockets.handleUpgrade(request, stream, head, (socket) => this.#greet(socket, stream));
  }

  #greet(socket: WebSocket, stream: Duplex): void {
    this.#alive.add(socket);
    socket.on('pong', () => this.#alive.add(socket));
    // A broken line also closes; the close handlers do the tidying.
    socket.on('error', () => {});
    const deadline = setTimeout(() => socket.close(CLOSE_UNAUTHENTICATED, 'no hello'), HELLO_MS).unref();
    socket.once('close', () => clearTimeout(deadline));
    let connection: Connection | undefined;
    inOrder(socket, (data) => {
      if (connection !== undefined) return this.#obey(connection, data);
      clearTimeout(deadline);
      return this.#admit(socket, stream, data).then(
        (admitted) => {
          connection = admitted;
        },
        () => socket.close(CLOSE_TRY_LATER, 'try later'),
      );
    });
  }

  async #admit(socket: WebSocket, stream: Duplex, data: string): Promise<Connection | undefined> {
    const turnAway = (code: number, why: string): undefined => {
      socket.close(code, why);
    };
    const hello = v.safeParse(Up, parseJson(data));
    if (!hello.success || hello.output.type !== 'hello')
      return turnAway(CLOSE_UNAUTHENTICATED, 'hello expected');
    if (hello.output.version < PROTOCOL_FLOOR) return turnAway(CLOSE_FINAL, 'outdated' satisfies CloseReason);
    const session = await callerFromIdToken(this.#app, hello.output.token).catch((error: unknown) => {
      if (codeOf(this.#app, error) === 'unauthenticated') return undefined;
      throw error;
    });
    if (session === undefined) return turnAway(CLOSE_UNAUTHENTICATED, 'unauthenticated');
    const budget = this.#budgetOf(session.caller);
    if (session.caller.kind === 'visitor' && budget.sockets >= this.#app.config.socketsPerVisitor) {
      return turnAway(CLOSE_FINAL, 'too_many_sockets' satisfies CloseReason);
    }
    if (socket.readyState !== socket.OPEN) return undefined;
    const connection = new Connection(socket, stream, { ...session, budget });
    this.#seat(socket, connection);
    return connection;
  }

  #seat(socket: WebSocket, connection: Connection): void {
    const { caller, budget } = connection;
    this.#hub.connections.add(connection);
    budget.sockets += 1;
    const alias = caller.kind === 'staff' ? caller.alias : null;
    if (alias !== null) this.#presence.arrive(alias);
    socket.once('close', () => {
      this.#hub.leave(connection);
      budget.sockets -= 1;
      if (caller.kind === 'visitor' && budget.sockets === 0) this.#visitors.delete(caller.visitorId);
      if (alias !== null) this.#presence.leave(alias);
    });
    connection.tell({
      type: 'welcome',
      version: PROTOCOL_VERSION,
      serverTime: this.#app.clock.now(),
      brand: this.#hub.brand,
      online: this.#hub.online || alias !== null,
      ...(caller.kind === 'visitor'
        ? { visitorId: caller.visitorId }
        : { staff: { staffId: caller.staffId, name: caller.name, role: caller.role, alias: caller.alias } }),
    });
  }

  #obey(connection: Connection, data: string): Promise<void> | undefined {
    const frame = v.safeParse(Up, parseJson(data));
    if (!frame.success) {
      connection.refuse('bad_request');
      return undefined;
    }
    const about = 'conversationId' in frame.output ? { conversationId: frame.output.conversationId } : {};
    const refuse = (error: unknown): void => connection.refuse(codeOf(this.#app, error), about);
    try {
      return handleFrame(this.#app, this.#hub, connection, frame.output)?.catch(refuse);
    } catch (error) {
      refuse(error);
      return undefined;
    }
  }

  #budgetOf(caller: Caller): SendBudget {
    if (caller.kind === 'staff') return new SendBudget(this.#app.clock, STAFF_BUDGET);
    let budget = this.#visitors.get(caller.visitorId);
    if (budget === undefined) {
      const { sendBurst, sendPerSecond } = this.#app.config;
      budget = new SendBudget(this.#app.clock, { burst: sendBurst, perSecond: sendPerSecond });
      this.#visitors.set(caller.visitorId, budget);
    }
    return budget;
  }

  #ping(): void {
    for (const socket of this.#sockets.clients) {
      if (!this.#alive.delete(socket)) socket.terminate();
      else socket.ping();
    }
  }
}

/** Frames are done one after another: a send must not overtake the watch that it stands on. */
function inOrder(socket: WebSocket, take: (data: string) => Promise<void> | undefined): void {
  let waiting: string[] | undefined;
  const drain = async (first: Promise<void>): Promise<void> => {
    const queue: string[] = [];
    waiting = queue;
    await first;
    for (let data = queue.shift(); data !== undefined; data = queue.shift()) {
      // On a line that is being closed nobody hears the answer, and order is lost already.
      if (socket.readyState === socket.OPEN) await take(data);
    }
    waiting = undefined;
  };
  socket.on('message', (raw: Buffer) => {
    if (socket.readyState !== socket.OPEN) return;
    const data = raw.toString();
    if (waiting !== undefined) {
      if (waiting.push(data) > WAITING_MAX) socket.close(CLOSE_TRY_LATER, 'too many frames');
      return;
    }
    const work = take(data);
    if (work !== undefined) void drain(work);
  });
}

function parseJson(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

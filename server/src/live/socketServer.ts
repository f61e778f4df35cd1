import type { IncomingMessage, Server } from 'node:http';
import type { Socket as TcpSocket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CLOSE_FINAL,
  CLOSE_RESTART,
  CLOSE_TRY_LATER,
  CLOSE_UNAUTHENTICATED,
} from '@settee/protocol/frames/down';
import { FRAME_MAX_BYTES, Up } from '@settee/protocol/frames/up';
import { PROTOCOL_FLOOR, PROTOCOL_VERSION } from '@settee/protocol/frames/version';
import * as v from 'valibot';
import { WebSocketServer } from 'ws';
import type { App } from '../app.ts';
import { callerFromIdToken } from '../auth/callers.ts';
import type { Caller } from '../caller.ts';
import { isOwnOrigin } from '../http/origin.ts';
import { SendBudget } from '../limits/sendBudgets.ts';
import { Connection, Socket } from './connection.ts';
import { codeOf, handleFrame } from './frames.ts';
import type { Hub } from './hub.ts';
import type { Presence } from './presence.ts';

const PATH = '/live';
const HELLO_MS = 10_000;
/**
 * A dead socket is found at the second ping after its last sign of life. For a console these 30 s, plus the grace period
 * of Presence, must stay well below the promised 60. Visitors' sockets promise nothing and are many, so they are pinged
 * half as often.
 */
const PING_MS = 15_000;
const PINGS_PER_VISITOR_PING = 2;
/** Maximum frames of one socket that wait for an earlier one. */
const WAITING_MAX = 1_000;
/**
 * At shutdown sockets are closed one after another. Each reconnects to another gateway within half a second and costs
 * it some queries.
 */
const CLOSE_EVERY_MS = 2;
const CLOSE_WITHIN_MS = 10_000;
const CLOSE_STEP_MS = 20;
/** How long the last sockets may take to close. */
const DRAIN_MS = 5_000;
/** Staff are trusted. Their budget only stops runaway scripts. */
const STAFF_BUDGET = { burst: 1_000_000, perSecond: 1_000_000 };

/** Accepts WebSockets: checks the Origin, waits for the hello, then handles the frames of each socket in order. */
export class SocketServer {
  readonly #app: App;
  readonly #hub: Hub;
  readonly #deskPresence: Presence;
  readonly #staffPresence: Presence;
  readonly #server = new WebSocketServer<typeof Socket>({
    noServer: true,
    maxPayload: FRAME_MAX_BYTES,
    // Compression costs three quarters of the throughput, and lengths would reveal secrets.
    perMessageDeflate: false,
    WebSocket: Socket,
  });
  readonly #pingTimer: NodeJS.Timeout;
  #pings = 0;
  #draining = false;
  // Shared by all sockets; `this` is the socket.
  readonly #onMessage: (data: Buffer) => void;
  readonly #onClose: (code: number) => void;

  constructor(app: App, hub: Hub, presence: { desks: Presence; staff: Presence }, server: Server) {
    this.#app = app;
    this.#hub = hub;
    this.#deskPresence = presence.desks;
    this.#staffPresence = presence.staff;
    const receive = (socket: Socket, data: string): void => this.#receive(socket, data);
    const unregister = (socket: Socket, code: number): void => this.#unregister(socket, code);
    this.#onMessage = function onMessage(this: Socket, data: Buffer) {
      receive(this, data.toString());
    };
    this.#onClose = function onClose(this: Socket, code: number) {
      unregister(this, code);
    };
    server.on('upgrade', (request, stream, head) => this.#upgrade(request, stream, head));
    this.#pingTimer = setInterval(() => this.#ping(), PING_MS).unref();
  }

  /** Asks every socket to reconnect elsewhere and waits until they have closed. */
  async drain(): Promise<void> {
    this.#draining = true;
    clearInterval(this.#pingTimer);
    const all = [...this.#server.clients];
    const steps = Math.ceil(Math.min(all.length * CLOSE_EVERY_MS, CLOSE_WITHIN_MS) / CLOSE_STEP_MS);
    const began = Date.now();
    for (let step = 1, closed = 0; step <= steps; step += 1) {
      for (; closed < (all.length * step) / steps; closed += 1) {
        all[closed]?.closeWith(CLOSE_RESTART, 'restarting');
      }
      await sleep(Math.max(0, began + step * CLOSE_STEP_MS - Date.now()));
    }
    const deadline = Date.now() + DRAIN_MS;
    while (this.#server.clients.size > 0 && Date.now() < deadline) await sleep(50);
    for (const socket of this.#server.clients) socket.cut('restarting');
  }

  #upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    stream.on('error', destroy);
    const path = request.url?.split('?', 1)[0];
    const foreign = !isOwnOrigin(this.#app, request.headers.origin);
    if (path !== PATH || foreign || this.#draining) {
      const status = path !== PATH ? '404 Not Found' : foreign ? '403 Forbidden' : '503 Service Unavailable';
      stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    this.#server.handleUpgrade(request, stream, head, (socket) => {
      // From here on ws handles errors of the stream.
      stream.off('error', destroy);
      socket.stream = stream as TcpSocket;
      socket.helloTimeout = setTimeout(
        () => socket.closeWith(CLOSE_UNAUTHENTICATED, 'no hello'),
        HELLO_MS,
      ).unref();
      socket.on('message', this.#onMessage);
      socket.on('close', this.#onClose);
      // A broken socket also closes, and is cleaned up then.
      socket.on('error', ignore);
    });
  }

  /** Handles frames one after another: a send must not overtake the watch before it. */
  #receive(socket: Socket, data: string): void {
    if (!socket.isOpen()) return;
    if (socket.waiting !== undefined) {
      if (socket.waiting.push(data) > WAITING_MAX) socket.closeWith(CLOSE_TRY_LATER, 'too many frames');
      return;
    }
    const handling = this.#handle(socket, data);
    if (handling !== undefined) void this.#handleWaiting(socket, handling);
  }

  async #handleWaiting(socket: Socket, handling: Promise<void>): Promise<void> {
    const waiting: string[] = [];
    socket.waiting = waiting;
    await handling;
    for (let data = waiting.shift(); data !== undefined; data = waiting.shift()) {
      // A closing socket receives no answers, and its order is lost already.
      if (socket.isOpen()) await this.#handle(socket, data);
    }
    socket.waiting = undefined;
  }

  #handle(socket: Socket, data: string): Promise<void> | undefined {
    if (socket.connection !== undefined) return this.#handleFrame(socket.connection, data);
    clearTimeout(socket.helloTimeout);
    socket.helloTimeout = undefined;
    return this.#handleHello(socket, data).catch(() => socket.closeWith(CLOSE_TRY_LATER, 'try later'));
  }

  async #handleHello(socket: Socket, data: string): Promise<void> {
    const hello = v.safeParse(Up, parseJson(data));
    if (!hello.success || hello.output.type !== 'hello') {
      return socket.closeWith(CLOSE_UNAUTHENTICATED, 'hello expected');
    }
    if (hello.output.version < PROTOCOL_FLOOR) return socket.closeWith(CLOSE_FINAL, 'outdated');
    const session = await callerFromIdToken(this.#app, hello.output.token).catch((error: unknown) => {
      if (codeOf(this.#app, error) === 'unauthenticated') return undefined;
      throw error;
    });
    if (session === undefined) return socket.closeWith(CLOSE_UNAUTHENTICATED, 'unauthenticated');
    if (session.caller.kind === 'staff' && !session.caller.verified) {
      return socket.closeWith(CLOSE_FINAL, 'signed_out');
    }
    const budget = this.#budgetOf(session.caller);
    const manages = hello.output.manages ?? false;
    if (session.caller.kind === 'visitor' && budget.sockets >= this.#app.config.socketsPerVisitor) {
      return socket.closeWith(CLOSE_FINAL, 'too_many_sockets');
    }
    if (socket.isOpen()) this.#register(socket, new Connection(socket, { ...session, budget, manages }));
  }

  #register(socket: Socket, connection: Connection): void {
    const { caller, budget } = connection;
    socket.connection = connection;
    this.#hub.connections.add(connection);
    budget.sockets += 1;
    this.#app.metrics.socketOpened(connection.kind());
    const alias = connection.staffedDesk();
    if (alias !== null) this.#deskPresence.arrive(alias);
    if (caller.kind === 'staff') this.#staffPresence.arrive(caller.staffId);
    connection.send({
      type: 'welcome',
      version: PROTOCOL_VERSION,
      serverTime: this.#app.clock.now(),
      brand: this.#hub.brand,
      online: this.#hub.online || alias !== null,
      // Pages send `held` only to a gateway that announced this: an older one would not accept it.
      ...(this.#app.traces !== undefined && { traced: true }),
      ...(caller.kind === 'visitor'
        ? { visitorId: caller.visitorId }
        : {
            staff: { staffId: caller.staffId, name: caller.name, role: caller.role, alias: caller.alias },
            away: caller.away,
            settings: this.#hub.settings,
          }),
    });
  }

  #unregister(socket: Socket, code: number): void {
    clearTimeout(socket.helloTimeout);
    const { connection } = socket;
    this.#app.metrics.socketClosed(connection?.kind(), socket.closeReasonOf(code));
    if (connection === undefined) return;
    const { caller, budget } = connection;
    this.#hub.remove(connection);
    budget.sockets -= 1;
    const alias = connection.staffedDesk();
    if (alias !== null) this.#deskPresence.leave(alias);
    if (caller.kind === 'staff') this.#staffPresence.leave(caller.staffId);
  }

  #handleFrame(connection: Connection, data: string): Promise<void> | undefined {
    const frame = v.safeParse(Up, parseJson(data));
    if (!frame.success) {
      connection.refuse('bad_request');
      return undefined;
    }
    const about: { conversationId?: string } =
      'conversationId' in frame.output ? { conversationId: frame.output.conversationId } : {};
    const refuse = (error: unknown): void => {
      const code = codeOf(this.#app, error);
      // The token was replaced. The page reconnects with a new one and asks again.
      if (code === 'unauthenticated' && about.conversationId !== undefined)
        connection.close(CLOSE_UNAUTHENTICATED, 'unauthenticated');
      else connection.refuse(code, about);
    };
    try {
      return handleFrame(this.#app, this.#hub, connection, frame.output)?.catch(refuse);
    } catch (error) {
      refuse(error);
      return undefined;
    }
  }

  #budgetOf(caller: Caller): SendBudget {
    if (caller.kind === 'staff') return new SendBudget(this.#app.clock, STAFF_BUDGET);
    return this.#app.sendBudgets.of(caller);
  }

  #ping(): void {
    this.#pings += 1;
    const visitorsToo = this.#pings % PINGS_PER_VISITOR_PING === 0;
    for (const socket of this.#server.clients) {
      if (!visitorsToo && socket.connection?.caller.kind !== 'staff') continue;
      if (socket.stream.bytesRead === socket.bytesAtPing) {
        socket.cut('silent');
      } else {
        socket.bytesAtPing = socket.stream.bytesRead;
        socket.ping();
      }
    }
  }
}

function ignore(): void {}

function destroy(this: Duplex): void {
  this.destroy();
}

function parseJson(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

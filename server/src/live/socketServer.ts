import type { IncomingMessage, Server } from 'node:http';
import type { Socket as TcpSocket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLOSE_FINAL, CLOSE_UNAUTHENTICATED } from '@settee/protocol/frames/down';
import { FRAME_MAX_BYTES, Up } from '@settee/protocol/frames/up';
import { PROTOCOL_FLOOR, PROTOCOL_VERSION } from '@settee/protocol/frames/version';
import * as v from 'valibot';
import { WebSocketServer } from 'ws';
import { type App, isBusy } from '../platform/app.ts';
import { isOwnOrigin } from '../platform/http/origin.ts';
import { Bucket, type BucketSize, scaled } from '../platform/limits/bucket.ts';
import { SendBudget } from '../platform/limits/sendBudgets.ts';
import { frameCosts, socketBudgets, upgradeLimits } from '../platform/limits/table.ts';
import type { ClosedReason } from '../platform/metrics/metrics.ts';
import { type Caller, severalDesks } from '../platform/ports/caller.ts';
import { callerFromIdToken } from '../staff/callers.ts';
import { hasStaffCookie } from '../staff/staffCookie.ts';
import { Addresses } from './addresses.ts';
import { CLOSE_EVERY_MS, closeOneByOne } from './closeOneByOne.ts';
import { Connection, Socket, type SocketEvents } from './connection.ts';
import { codeOf, handleFrame } from './frames.ts';
import { forStaff, type Hub } from './hub.ts';
import type { Presence } from './presence.ts';
import { recordRefusedFrame } from './refusedFrames.ts';

const PATH = '/live';
const HELLO_MS = 10_000;
/**
 * A dead socket is found at the second ping after its last sign of life. For a console these 30 s, plus the grace period
 * of Presence, must stay well below the promised 60. Visitors' sockets promise nothing and are many, so they are pinged
 * half as often.
 */
const PING_MS = 15_000;
const PINGS_PER_VISITOR_PING = 2;
/** How long a socket may take to answer a ping when its visitor opens too many. */
const PONG_MS = 2_500;
/** A client must answer a close within this time. */
const CLOSE_TIMEOUT_MS = 5_000;
/** A socket that had to wait this long for points is closed. */
const THROTTLED_MAX_MS = 10_000;
/** A frame costs one point more for this many characters. */
const POINT_CHARACTERS = 1_024;
/** How often the memory of all sockets is compared with its limit. */
const MEMORY_MS = 1_000;
/** Sockets that hold less than this are not counted. */
const HELD_MIN = 16_384;
/** For a refused upgrade. Clients of ours wait longer after each failure. */
const RETRY_AFTER_SECONDS = 5;
/** How long the last sockets may take to close. */
const DRAIN_MS = 5_000;
/** Staff are trusted. Their budget only stops runaway scripts. */
const STAFF_BUDGET = { burst: 1_000_000, perSecond: 1_000_000 };

/** Not within the call, because the types of ws lack `closeTimeout`. */
const OPTIONS = {
  noServer: true,
  maxPayload: FRAME_MAX_BYTES,
  closeTimeout: CLOSE_TIMEOUT_MS,
  // Compression costs three quarters of the throughput, and lengths would reveal secrets.
  perMessageDeflate: false,
  // It costs a listener per socket. We listen anyway.
  clientTracking: false,
  WebSocket: Socket,
};

/** Closings because of what the client did. They are security events. */
const SUSPICIOUS: ReadonlySet<ClosedReason> = new Set<ClosedReason>([
  'slow_reader',
  'no_hello',
  'hello_expected',
  'unauthenticated',
  'too_many_sockets',
  'too_many_frames',
]);

/** Accepts WebSockets: checks the Origin, waits for the hello, then handles the frames of each socket in order. */
export class SocketServer {
  readonly #app: App;
  readonly #hub: Hub;
  readonly #deskPresence: Presence;
  readonly #staffPresence: Presence;
  readonly #server = new WebSocketServer<typeof Socket>(OPTIONS);
  readonly #sockets = new Set<Socket>();
  readonly #addresses: Addresses;
  readonly #pingTimer: NodeJS.Timeout;
  readonly #memoryTimer: NodeJS.Timeout;
  #pings = 0;
  /** Shared by all sockets, to keep an idle one small. */
  readonly #pointSizes: Record<Caller['kind'], BucketSize>;
  #returnAt = 0;
  #withoutHello = 0;
  /** Characters of frames that wait for an earlier frame of their socket. */
  #waiting = 0;
  #draining = false;
  readonly #events: SocketEvents = {
    receive: (socket, data) => this.#receive(socket, data),
    closed: (socket, code) => this.#unregister(socket, code),
    nextReturn: () => this.#nextReturn(),
  };

  constructor(app: App, hub: Hub, presence: { desks: Presence; staff: Presence }, server: Server) {
    this.#app = app;
    this.#hub = hub;
    this.#deskPresence = presence.desks;
    this.#staffPresence = presence.staff;
    this.#addresses = new Addresses(app);
    const { visitor, staff } = socketBudgets;
    const { limitFactor } = app.config;
    this.#pointSizes = { visitor: scaled(visitor, limitFactor), staff: scaled(staff, limitFactor) };
    hub.showAllDesks = (connection) => this.#showAllDesks(connection);
    server.on('upgrade', (request, stream, head) => this.#upgrade(request, stream, head));
    this.#pingTimer = setInterval(() => this.#ping(), PING_MS).unref();
    this.#memoryTimer = setInterval(() => this.#limitMemory(), MEMORY_MS).unref();
  }

  /** Asks every socket to reconnect elsewhere and waits until they have closed. */
  async drain(): Promise<void> {
    this.#draining = true;
    clearInterval(this.#pingTimer);
    clearInterval(this.#memoryTimer);
    await closeOneByOne([...this.#sockets]);
    const deadline = Date.now() + DRAIN_MS;
    while (this.#sockets.size > 0 && Date.now() < deadline) await sleep(50);
    for (const socket of this.#sockets) socket.cut('restarting');
  }

  #upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    stream.on('error', destroy);
    const refusal = this.#refusalOf(request);
    if (refusal !== undefined) {
      const status = Number.parseInt(refusal, 10);
      if (status !== 404 && !this.#draining)
        this.#app.security.record({
          event: 'socket_refused',
          status,
          address: this.#addresses.of(request).key,
        });
      stream.end(`HTTP/1.1 ${refusal}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    const address = this.#addresses.of(request);
    this.#server.handleUpgrade(request, stream, head, (socket) => {
      // From here on ws handles errors of the stream.
      stream.off('error', destroy);
      this.#sockets.add(socket);
      socket.events = this.#events;
      socket.stream = stream as TcpSocket;
      socket.address = address;
      address.open += 1;
      address.withoutHello += 1;
      this.#withoutHello += 1;
      socket.helloTimeout = setTimeout(
        () => socket.closeWith(CLOSE_UNAUTHENTICATED, 'no hello'),
        HELLO_MS,
      ).unref();
    });
  }

  /** The status of a refused upgrade. */
  #refusalOf(request: IncomingMessage): string | undefined {
    if (request.url?.split('?', 1)[0] !== PATH) return '404 Not Found';
    if (!isOwnOrigin(this.#app, request.headers.origin)) return '403 Forbidden';
    const later = `\r\nRetry-After: ${RETRY_AFTER_SECONDS}`;
    const isFull = this.#withoutHello >= upgradeLimits.withoutHelloTotal * this.#app.config.limitFactor;
    // Work in progress goes first. Staff can still connect.
    if (this.#draining || isFull || (!hasStaffCookie(this.#app, request) && isBusy(this.#app)))
      return `503 Service Unavailable${later}`;
    return this.#addresses.admit(this.#addresses.of(request)) ? undefined : `429 Too Many Requests${later}`;
  }

  /** Handles frames one after another: a send must not overtake the watch before it. */
  #receive(socket: Socket, data: string): void {
    if (!socket.isOpen()) return;
    if (socket.waiting !== undefined) {
      // What the client sends next stays in its own buffers. At most what was already read waits here.
      socket.pause();
      socket.waiting.push(data);
      this.#waiting += data.length;
      if (this.#waiting > upgradeLimits.waitingBytesTotal) socket.closeFlooding();
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
      this.#waiting -= data.length;
      // A closing socket receives no answers, and its order is lost already.
      if (socket.isOpen()) await this.#handle(socket, data);
    }
    socket.waiting = undefined;
    if (socket.isOpen()) socket.resume();
  }

  #handle(socket: Socket, data: string): Promise<void> | undefined {
    const { connection } = socket;
    if (connection !== undefined) return this.#handleFrame(socket, connection, data);
    clearTimeout(socket.helloTimeout);
    socket.helloTimeout = undefined;
    return this.#handleHello(socket, data).catch(() => socket.closeForNow('try later'));
  }

  /** Spreads clients that were sent away: each returns a moment after the one before. */
  #nextReturn(): number {
    const now = Date.now();
    this.#returnAt = Math.max(now, this.#returnAt) + CLOSE_EVERY_MS;
    return this.#returnAt - now;
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
    const { caller } = session;
    const profile =
      caller.kind === 'staff'
        ? this.#hub.profileOfDesk(caller.alias)
        : await this.#hub.profileOfLink(hello.output.invite);
    const budget = this.#budgetOf(caller);
    const manages = hello.output.manages ?? false;
    // Nothing may wait between this check and #register.
    if (caller.kind === 'visitor' && !(await this.#hasRoom(budget))) {
      return socket.closeWith(CLOSE_FINAL, 'too_many_sockets');
    }
    const points = this.#pointsOf(caller);
    if (socket.isOpen())
      this.#register(socket, new Connection(socket, { ...session, budget, points, manages, profile }));
  }

  /** At the limit, sockets that do not answer a ping are dropped: a page may have lost several without a sign. */
  async #hasRoom(budget: SendBudget): Promise<boolean> {
    const { socketsPerVisitor } = this.#app.config;
    if (budget.sockets < socketsPerVisitor) return true;
    const own = () =>
      [...this.#sockets].filter((each) => each.isOpen() && each.connection?.budget === budget);
    const pinged = own().map((socket) => ({ socket, bytes: socket.stream.bytesRead }));
    for (const { socket } of pinged) socket.ping();
    await this.#delay(PONG_MS, undefined);
    for (const { socket, bytes } of pinged) {
      if (socket.stream.bytesRead === bytes && !socket.isPaused) socket.cut('silent');
    }
    return own().length < socketsPerVisitor;
  }

  #register(socket: Socket, connection: Connection): void {
    const { caller, budget, profile } = connection;
    socket.connection = connection;
    socket.address.withoutHello -= 1;
    this.#withoutHello -= 1;
    this.#hub.connections.add(connection);
    budget.sockets += 1;
    this.#app.metrics.socketOpened(connection.kind());
    const staffed = connection.staffedDesks();
    for (const alias of staffed) this.#deskPresence.arrive(alias);
    if (caller.kind === 'staff') this.#staffPresence.arrive(caller.staffId);
    const profiles = this.#hub.ownProfiles(connection);
    connection.send({
      type: 'welcome',
      version: PROTOCOL_VERSION,
      serverTime: this.#app.clock.now(),
      brand: profile.brand,
      // At most the first desk, whose profile this is.
      online: profile.online || staffed.length > 0,
      // Pages send `held` only to a gateway that announced this: an older one would not accept it.
      ...(this.#app.traces !== undefined && { traced: true }),
      ...(caller.kind === 'visitor'
        ? { visitorId: caller.visitorId }
        : {
            staff: {
              ...{ staffId: caller.staffId, name: caller.name, role: caller.role, alias: caller.alias },
              ...severalDesks(caller),
            },
            away: caller.away,
            settings: forStaff(profile.settings),
            ...(profiles.length > 0 && { profiles }),
            queuePages: true,
          }),
    });
  }

  #showAllDesks(connection: Connection): void {
    const before = connection.staffedDesks();
    connection.showsAllDesks = true;
    for (const alias of connection.staffedDesks())
      if (!before.includes(alias)) this.#deskPresence.arrive(alias);
  }

  #unregister(socket: Socket, code: number): void {
    this.#sockets.delete(socket);
    clearTimeout(socket.helloTimeout);
    const { connection, address } = socket;
    const reason = socket.closeReasonOf(code);
    this.#app.metrics.socketClosed(connection?.kind(), reason);
    if (SUSPICIOUS.has(reason))
      this.#app.security.record({ event: 'socket_closed', reason, address: address.key });
    address.open -= 1;
    if (connection === undefined) {
      address.withoutHello -= 1;
      this.#withoutHello -= 1;
      return;
    }
    const { caller, budget } = connection;
    this.#hub.remove(connection);
    budget.sockets -= 1;
    for (const alias of connection.staffedDesks()) this.#deskPresence.leave(alias);
    if (caller.kind === 'staff') this.#staffPresence.leave(caller.staffId);
  }

  /** The returned promise also waits until the socket has points for its next frame. */
  #handleFrame(socket: Socket, connection: Connection, data: string): Promise<void> | undefined {
    const frame = v.safeParse(Up, parseJson(data));
    const cost = frameCosts[frame.success ? frame.output.type : 'invalid'] + data.length / POINT_CHARACTERS;
    connection.points.charge(cost);
    const shared = connection.caller.kind === 'visitor' ? socket.address.points.charge(cost) : 0;
    let handling: Promise<void> | undefined;
    if (frame.success) handling = this.#dispatchFrame(connection, frame.output);
    else {
      connection.refuse('bad_request');
      recordRefusedFrame(this.#app, connection, 'bad_request');
    }
    const own = connection.points.charge(0);
    if (own > 0) connection.throttledMs += own;
    else if (connection.points.level() > 0.5) connection.throttledMs = 0;
    if (connection.throttledMs > THROTTLED_MAX_MS) socket.closeFlooding();
    const ms = Math.max(own, shared);
    return ms === 0 ? handling : this.#delay(ms, handling);
  }

  async #delay(ms: number, handling: Promise<void> | undefined): Promise<void> {
    await Promise.all([handling, new Promise<void>((resolve) => void this.#app.clock.after(ms, resolve))]);
  }

  #dispatchFrame(connection: Connection, frame: Up): Promise<void> | undefined {
    const about: { conversationId?: string } =
      'conversationId' in frame ? { conversationId: frame.conversationId } : {};
    const refuse = (error: unknown): void => {
      const code = codeOf(this.#app, error);
      recordRefusedFrame(this.#app, connection, code, frame.type);
      // The token was replaced. The page reconnects with a new one and asks again.
      if (code === 'unauthenticated' && about.conversationId !== undefined)
        connection.close(CLOSE_UNAUTHENTICATED, 'unauthenticated');
      else connection.refuse(code, about);
    };
    try {
      return handleFrame(this.#app, this.#hub, connection, frame)?.catch(refuse);
    } catch (error) {
      refuse(error);
      return undefined;
    }
  }

  #pointsOf({ kind }: Caller): Bucket {
    return new Bucket(this.#app.clock, this.#pointSizes[kind]);
  }

  #budgetOf(caller: Caller): SendBudget {
    if (caller.kind === 'staff') return new SendBudget(this.#app.clock, STAFF_BUDGET);
    return this.#app.sendBudgets.of(caller);
  }

  #ping(): void {
    this.#pings += 1;
    const visitorsToo = this.#pings % PINGS_PER_VISITOR_PING === 0;
    for (const socket of this.#sockets) {
      if (!visitorsToo && socket.connection?.caller.kind !== 'staff') continue;
      // Its bytes are not read, so they say nothing about it.
      if (socket.isPaused) continue;
      if (socket.stream.bytesRead === socket.bytesAtPing) {
        socket.cut('silent');
      } else {
        socket.bytesAtPing = socket.stream.bytesRead;
        socket.ping();
      }
    }
  }

  /** Many slow readers together must not fill the memory. Those that hold the most are disconnected first. */
  #limitMemory(): void {
    const holders: { socket: Socket; bytes: number }[] = [];
    let total = 0;
    for (const socket of this.#sockets) {
      socket.freeLastChunk();
      const bytes = socket.heldBytes();
      if (bytes < HELD_MIN) continue;
      total += bytes;
      holders.push({ socket, bytes });
    }
    if (total <= upgradeLimits.heldBytesTotal) return;
    for (const { socket, bytes } of holders.sort((left, right) => right.bytes - left.bytes)) {
      if (total <= upgradeLimits.heldBytesTotal) return;
      total -= bytes;
      socket.cut('slow_reader');
    }
  }
}

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

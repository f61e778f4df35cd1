import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  CLOSE_FINAL,
  CLOSE_RESTART,
  CLOSE_TRY_LATER,
  CLOSE_UNAUTHENTICATED,
  type CloseReason,
} from '@settee/protocol/frames/down';
import { FRAME_MAX_BYTES, Up } from '@settee/protocol/frames/up';
import { PROTOCOL_FLOOR, PROTOCOL_VERSION } from '@settee/protocol/frames/version';
import * as v from 'valibot';
import { WebSocketServer } from 'ws';
import type { App } from '../app.ts';
import { callerFromIdToken } from '../auth/callers.ts';
import type { Caller } from '../caller.ts';
import { isOwnOrigin } from '../http/origin.ts';
import { SendBudget } from '../limits/sendBudget.ts';
import { Connection } from './connection.ts';
import { endedByItself } from './ending.ts';
import { codeOf, handleFrame } from './frames.ts';
import type { Hub } from './hub.ts';
import { Line } from './line.ts';
import type { Presence } from './presence.ts';

const PATH = '/live';
const HELLO_MS = 10_000;
/**
 * Silent lines die here: routers forget, phones sleep. A line that dies just after it answered is found out at the
 * second ping from then. For a console that is how long visitors are told that somebody is there who is not: 30 s, and
 * Presence's grace, must stay well below the promised 60. A visitor's line promises nothing, and is pinged half as
 * often: there are many more of them.
 */
const PING_MS = 15_000;
const PINGS_PER_VISITOR_PING = 2;
/** Frames that one socket may have waiting while an earlier one is being answered. */
const WAITING_MAX = 1_000;
/**
 * Sockets are told to leave one after another, not all at once: each comes back at another gateway within half a second,
 * and there it costs a look at its session and its conversation. However many there are, the last one is told in time.
 */
const LEAVE_EVERY_MS = 2;
const LEAVE_WITHIN_MS = 10_000;
const LEAVE_STEP_MS = 20;
/** After the last socket was told to leave, how long it may take to go. */
const DRAIN_MS = 5_000;
/** Members of staff are trusted people with consoles; their budget only stops runaways. */
const STAFF_BUDGET = { burst: 1_000_000, perSecond: 1_000_000 };

/** Where sockets come in: checks the Origin, waits for the hello, then hands frames on in order. */
export class SocketServer {
  readonly #app: App;
  readonly #hub: Hub;
  readonly #desks: Presence;
  readonly #people: Presence;
  readonly #lines = new WebSocketServer<typeof Line>({
    noServer: true,
    maxPayload: FRAME_MAX_BYTES,
    // Compression costs three quarters of the throughput and leaks secrets by length.
    perMessageDeflate: false,
    WebSocket: Line,
  });
  readonly #pinging: NodeJS.Timeout;
  #pings = 0;
  #draining = false;
  // Shared by all lines; `this` is the line.
  readonly #onMessage: (data: Buffer) => void;
  readonly #onClose: (code: number) => void;

  constructor(app: App, hub: Hub, there: { desks: Presence; people: Presence }, server: Server) {
    this.#app = app;
    this.#hub = hub;
    this.#desks = there.desks;
    this.#people = there.people;
    const hear = (line: Line, data: string): void => this.#hear(line, data);
    const left = (line: Line, code: number): void => this.#left(line, code);
    this.#onMessage = function onMessage(this: Line, data: Buffer) {
      hear(this, data.toString());
    };
    this.#onClose = function onClose(this: Line, code: number) {
      left(this, code);
    };
    server.on('upgrade', (request, stream, head) => this.#upgrade(request, stream, head));
    this.#pinging = setInterval(() => this.#ping(), PING_MS).unref();
  }

  /** Asks every socket to come back elsewhere and waits until they have gone. */
  async drain(): Promise<void> {
    this.#draining = true;
    clearInterval(this.#pinging);
    const all = [...this.#lines.clients];
    const steps = Math.ceil(Math.min(all.length * LEAVE_EVERY_MS, LEAVE_WITHIN_MS) / LEAVE_STEP_MS);
    const began = Date.now();
    for (let step = 1, told = 0; step <= steps; step += 1) {
      for (; told < (all.length * step) / steps; told += 1) all[told]?.endWith(CLOSE_RESTART, 'restarting');
      await new Promise((done) => setTimeout(done, Math.max(0, began + step * LEAVE_STEP_MS - Date.now())));
    }
    const deadline = Date.now() + DRAIN_MS;
    while (this.#lines.clients.size > 0 && Date.now() < deadline) {
      await new Promise((done) => setTimeout(done, 50));
    }
    for (const line of this.#lines.clients) line.cut('restarting');
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
    this.#lines.handleUpgrade(request, stream, head, (line) => {
      // From here on ws listens for that.
      stream.off('error', destroy);
      line.stream = stream as Socket;
      line.deadline = setTimeout(() => line.endWith(CLOSE_UNAUTHENTICATED, 'no hello'), HELLO_MS).unref();
      line.on('message', this.#onMessage);
      line.on('close', this.#onClose);
      // A broken line also closes, and that is where it is tidied.
      line.on('error', ignore);
    });
  }

  /** Frames are done one after another: a send must not overtake the watch that it stands on. */
  #hear(line: Line, data: string): void {
    if (!line.isOpen()) return;
    if (line.waiting !== undefined) {
      if (line.waiting.push(data) > WAITING_MAX) line.endWith(CLOSE_TRY_LATER, 'too many frames');
      return;
    }
    const work = this.#take(line, data);
    if (work !== undefined) void this.#takeRest(line, work);
  }

  async #takeRest(line: Line, work: Promise<void>): Promise<void> {
    const waiting: string[] = [];
    line.waiting = waiting;
    await work;
    for (let data = waiting.shift(); data !== undefined; data = waiting.shift()) {
      // On a line that is being closed nobody hears the answer, and order is lost already.
      if (line.isOpen()) await this.#take(line, data);
    }
    line.waiting = undefined;
  }

  #take(line: Line, data: string): Promise<void> | undefined {
    if (line.connection !== undefined) return this.#obey(line.connection, data);
    clearTimeout(line.deadline);
    line.deadline = undefined;
    return this.#admit(line, data).catch(() => line.endWith(CLOSE_TRY_LATER, 'try later'));
  }

  async #admit(line: Line, data: string): Promise<void> {
    const hello = v.safeParse(Up, parseJson(data));
    if (!hello.success || hello.output.type !== 'hello') {
      return line.endWith(CLOSE_UNAUTHENTICATED, 'hello expected');
    }
    if (hello.output.version < PROTOCOL_FLOOR) {
      return line.endWith(CLOSE_FINAL, 'outdated' satisfies CloseReason);
    }
    const session = await callerFromIdToken(this.#app, hello.output.token).catch((error: unknown) => {
      if (codeOf(this.#app, error) === 'unauthenticated') return undefined;
      throw error;
    });
    if (session === undefined) return line.endWith(CLOSE_UNAUTHENTICATED, 'unauthenticated');
    if (session.caller.kind === 'staff' && !session.caller.verified) {
      return line.endWith(CLOSE_FINAL, 'signed_out' satisfies CloseReason);
    }
    const budget = this.#budgetOf(session.caller);
    const manages = hello.output.manages ?? false;
    if (session.caller.kind === 'visitor' && budget.sockets >= this.#app.config.socketsPerVisitor) {
      return line.endWith(CLOSE_FINAL, 'too_many_sockets' satisfies CloseReason);
    }
    if (line.isOpen()) this.#seat(line, new Connection(line, { ...session, budget, manages }));
  }

  #seat(line: Line, connection: Connection): void {
    const { caller, budget } = connection;
    line.connection = connection;
    this.#hub.connections.add(connection);
    budget.sockets += 1;
    this.#app.metrics.socketOpened(connection.kind());
    const alias = connection.staffedDesk();
    if (alias !== null) this.#desks.arrive(alias);
    if (caller.kind === 'staff') this.#people.arrive(caller.staffId);
    connection.tell({
      type: 'welcome',
      version: PROTOCOL_VERSION,
      serverTime: this.#app.clock.now(),
      brand: this.#hub.brand,
      online: this.#hub.online || alias !== null,
      // Only then is a page to say how long it kept a message: an older gateway would not understand it.
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

  #left(line: Line, code: number): void {
    clearTimeout(line.deadline);
    const { connection } = line;
    this.#app.metrics.socketClosed(connection?.kind(), line.ending ?? endedByItself(code));
    if (connection === undefined) return;
    const { caller, budget } = connection;
    this.#hub.leave(connection);
    budget.sockets -= 1;
    const alias = connection.staffedDesk();
    if (alias !== null) this.#desks.leave(alias);
    if (caller.kind === 'staff') this.#people.leave(caller.staffId);
  }

  #obey(connection: Connection, data: string): Promise<void> | undefined {
    const frame = v.safeParse(Up, parseJson(data));
    if (!frame.success) {
      connection.refuse('bad_request');
      return undefined;
    }
    const about: { conversationId?: string } =
      'conversationId' in frame.output ? { conversationId: frame.output.conversationId } : {};
    const refuse = (error: unknown): void => {
      const code = codeOf(this.#app, error);
      // A conversation asked for with a token that was replaced: the page comes back with another, and asks again.
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
    for (const line of this.#lines.clients) {
      if (!visitorsToo && line.connection?.caller.kind !== 'staff') continue;
      if (line.stream.bytesRead === line.readAtPing) {
        line.cut('silent');
      } else {
        line.readAtPing = line.stream.bytesRead;
        line.ping();
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

import type { Socket as TcpSocket } from 'node:net';
import {
  CLOSE_FINAL,
  CLOSE_TRY_LATER,
  type CloseReason,
  type Down,
  TOO_MANY_FRAMES,
  textWithWait,
} from '@settee/protocol/frames/down';
import type { ErrorCode } from '@settee/protocol/model/errorCodes';
import { WebSocket } from 'ws';
import type { Bucket } from '../platform/limits/bucket.ts';
import type { SendBudget } from '../platform/limits/sendBudgets.ts';
import { ANSWER_BYTES_PER_POINT } from '../platform/limits/table.ts';
import type { ClosedReason, SocketKind } from '../platform/metrics/metrics.ts';
import { type Caller, desksOf } from '../platform/ports/caller.ts';
import type { ListedProfile } from '../profile/brand.store.ts';
import type { Address } from './addresses.ts';

/** The close texts that clients receive, and the reasons that metrics count. */
const CLOSE_TEXTS = {
  restarting: 'restarting',
  outdated: 'outdated',
  unauthenticated: 'unauthenticated',
  signed_out: 'signed_out',
  too_many_sockets: 'too_many_sockets',
  'no hello': 'no_hello',
  'hello expected': 'hello_expected',
  [TOO_MANY_FRAMES]: 'too_many_frames',
  'try later': 'try_later',
  'out of step': 'out_of_step',
  'token expired': 'token_expired',
  'role changed': 'role_changed',
} as const satisfies Record<string, ClosedReason>;

export type CloseText = keyof typeof CLOSE_TEXTS;

/** Normal closure, a page that goes away, and no code. Any other code means that the connection broke. */
const NORMAL_CLOSE_CODES = new Set([1000, 1001, 1005]);

/** A client that has this much unread data is disconnected. It reconnects and resumes by number. */
const BUFFERED_MAX = 1_048_576;

/** How long a client that sent too much waits before it reconnects. */
const FLOODING_WAIT_MS = 5_000;

const AS_TEXT = { binary: false };

/** The state of a receiver of ws that waits for the head of a frame. */
const BETWEEN_FRAMES = 0;

/** What happens with all sockets of a server. */
export type SocketEvents = {
  receive(socket: Socket, data: string): void;
  closed(socket: Socket, code: number): void;
  /** How long the next client that cannot be served now waits before it reconnects. */
  nextReturn(): number;
};

/**
 * A WebSocket that carries its own state, so that all sockets share one object for their events. A few closures per
 * socket would double the memory of an idle one.
 */
export class Socket extends WebSocket {
  events!: SocketEvents;
  stream!: TcpSocket;
  address!: Address;
  /** Set once the hello was accepted. */
  connection: Connection | undefined;
  helloTimeout: NodeJS.Timeout | undefined;
  /** Frames that arrived while an earlier one is being handled. */
  waiting: string[] | undefined;
  /** Bytes received before the last ping. No more bytes at the next ping means that the socket is dead. */
  bytesAtPing = 0;
  /** Set when this server closed the socket. */
  #closedBecause: ClosedReason | undefined;

  /** Instead of listeners: their list would need 200 bytes on each socket. */
  override emit(event: string | symbol, ...values: unknown[]): boolean {
    if (event === 'message') this.events.receive(this, String(values[0]));
    else if (event === 'close') this.events.closed(this, Number(values[0]));
    // A broken socket also closes, and is cleaned up then.
    return event !== 'error';
  }

  isOpen(): boolean {
    return this.readyState === WebSocket.OPEN;
  }

  /** Bytes in our memory: not sent because the client reads slowly, or received and not parsed yet. */
  heldBytes(): number {
    return this.bufferedAmount + this.stream.readableLength;
  }

  /** Corked, so that the system gets all of them in one call. */
  sendTexts(frames: readonly Buffer[]): void {
    // After a close frame nothing may follow.
    if (!this.isOpen()) return;
    this.stream.cork();
    for (const frame of frames) this.send(frame, AS_TEXT);
    this.stream.uncork();
  }

  /**
   * Between two frames ws keeps the mask of the last one. It is a view of all bytes that arrived with that frame, a
   * tenth of the memory of an idle socket. The field is private: if a later version names it differently, a test fails.
   */
  freeLastChunk(): void {
    const { _receiver } = this as unknown as { _receiver: { _state: number; _mask: Buffer | undefined } };
    if (_receiver._state === BETWEEN_FRAMES) _receiver._mask = undefined;
  }

  /** Not an override of close, which ws also calls with the client's text. */
  closeWith(code: number, text: CloseText, waitMs = 0): void {
    this.#closedBecause ??= CLOSE_TEXTS[text];
    this.connection?.flush();
    this.close(code, textWithWait(text, waitMs));
    // Otherwise the client's answer would not be read.
    this.resume();
  }

  /** The client reconnects later. */
  closeForNow(text: 'try later' | 'out of step'): void {
    this.closeWith(CLOSE_TRY_LATER, text, this.events.nextReturn());
  }

  /** Closes a socket that sends too much, and reads nothing more from it, not even the answer. */
  closeFlooding(): void {
    this.closeWith(CLOSE_TRY_LATER, TOO_MANY_FRAMES, FLOODING_WAIT_MS);
    this.pause();
  }

  /** Ends the connection without a closing handshake. */
  cut(reason: ClosedReason): void {
    this.#closedBecause ??= reason;
    this.terminate();
  }

  closeReasonOf(code: number): ClosedReason {
    return this.#closedBecause ?? (NORMAL_CLOSE_CODES.has(code) ? 'left' : 'lost');
  }
}

let unflushed: Connection[] = [];

/** After all events that have arrived, so that a busy gateway writes once for many of them. */
function flushSoon(connection: Connection): void {
  if (unflushed.push(connection) === 1) setImmediate(flushAll);
}

function flushAll(): void {
  const connections = unflushed;
  unflushed = [];
  for (const connection of connections) connection.flush();
}

/** Encoded once and sent to many: rooms and the bus pass these bytes on. */
export function encode(frame: Down): Buffer {
  return Buffer.from(JSON.stringify(frame));
}

/** Lists are replaced, not extended: an extended one reserves space for 17 items on every idle socket. */
const NONE: readonly never[] = [];

/** `isLookedUp` while a query looks for the first of them. */
export type RefusedForNow = { ids: string[]; isLookedUp: boolean };

/** A profile as this gateway knows it. Changes are written into it. `online`: somebody is at one of its desks. */
export type LiveProfile = ListedProfile & { online: boolean };

/** An authenticated socket: its caller, its send budget and what it watches. */
export class Connection {
  caller: Caller;
  expiresAt: number;
  readonly budget: SendBudget;
  /** For frames of every type, by their costs. */
  readonly points: Bucket;
  /** How long the socket had to wait for points since it last had half of its budget. */
  throttledMs = 0;
  /** True for a page of the admin area, which does not count as presence at a desk. */
  readonly manages: boolean;
  /** What this socket shows: of the chat's desk, before it of the link's, and for staff of their own desk. */
  profile: LiveProfile;
  /** The page shows the queues of all desks. One of release 0.2.0 shows the first only. */
  showsAllDesks = false;
  /** The conversations that this socket watches. */
  watching: readonly string[] = NONE;
  /** Messages of this socket that are being stored. It gets an ack for them, and no copy. */
  storing: Set<string> | undefined;
  /**
   * Per conversation, the messages that were refused for now, in their order. Only the first may come next: accepting a
   * later one would store the sender's messages out of order. Most sockets never need it.
   */
  resendFirst: Map<string, RefusedForNow> | undefined;
  /** The conversations whose `watch` was refused for now. What follows it is refused for now too. */
  watchFirst: Set<string> | undefined;
  readonly #socket: Socket;
  /** Frames that leave at the end of this turn of the event loop. */
  #pending: Buffer[] | undefined;

  constructor(
    socket: Socket,
    session: {
      caller: Caller;
      expiresAt: number;
      budget: SendBudget;
      points: Bucket;
      manages: boolean;
      profile: LiveProfile;
    },
  ) {
    this.#socket = socket;
    this.caller = session.caller;
    this.expiresAt = session.expiresAt;
    this.budget = session.budget;
    this.points = session.points;
    this.manages = session.manages;
    this.profile = session.profile;
  }

  /** The desks that are online because of this socket. */
  staffedDesks(): string[] {
    const { caller } = this;
    if (caller.kind !== 'staff' || caller.away || this.manages) return [];
    const shown = this.showsAllDesks ? caller.desks : caller.desks.slice(0, 1);
    return desksOf({ desks: shown.filter(({ off }) => !off) });
  }

  /** For the security log. */
  get address(): string {
    return this.#socket.address.key;
  }

  isOpen(): boolean {
    return this.#socket.isOpen();
  }

  send(frame: Down): void {
    this.sendEncoded(encode(frame));
  }

  /** An answer that the client asked for. Long ones cost points. */
  answer(frame: Down): void {
    const encoded = encode(frame);
    this.points.charge(encoded.length / ANSWER_BYTES_PER_POINT);
    this.sendEncoded(encoded);
  }

  sendEncoded(frame: Buffer): void {
    if (!this.#socket.isOpen()) return;
    if (this.#socket.bufferedAmount > BUFFERED_MAX) {
      this.#socket.cut('slow_reader');
      return;
    }
    if (this.#pending === undefined) {
      this.#pending = [frame];
      flushSoon(this);
    } else this.#pending.push(frame);
  }

  flush(): void {
    const frames = this.#pending;
    this.#pending = undefined;
    if (frames !== undefined) this.#socket.sendTexts(frames);
  }

  refuse(code: ErrorCode, about: { conversationId?: string; id?: string } = {}): void {
    this.send({ type: 'refused', code, ...about });
  }

  close(code: number, text: CloseText): void {
    this.#socket.closeWith(code, text);
  }

  closeForNow(text: 'try later' | 'out of step'): void {
    this.#socket.closeForNow(text);
  }

  /** Closes the connection and tells the page not to reconnect. */
  closeForGood(reason: CloseReason): void {
    this.close(CLOSE_FINAL, reason);
  }

  /** The label in metrics. `handler` is anyone with the console open. */
  kind(): SocketKind {
    if (this.caller.kind === 'visitor') return 'visitor';
    return this.manages ? 'admin' : 'handler';
  }
}

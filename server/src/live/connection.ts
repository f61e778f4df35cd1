import type { ErrorCode } from '@settee/protocol/calls/errorCodes';
import { CLOSE_FINAL, type CloseReason, type Down } from '@settee/protocol/frames/down';
import type { Caller } from '../caller.ts';
import type { SendBudget } from '../limits/sendBudget.ts';
import type { ClosedReason, SocketKind } from '../metrics/metrics.ts';
import { encode } from './encode.ts';
import type { Said } from './ending.ts';

/** The part of a socket that a connection needs. */
type Wire = {
  readonly stream: { cork(): void; uncork(): void };
  readonly bufferedAmount: number;
  isOpen(): boolean;
  send(frame: Buffer, options: { binary: boolean }): void;
  endWith(code: number, said: Said): void;
  cut(why: ClosedReason): void;
};

/** A reader this far behind is cut off; it comes back and resumes by number. */
const BUFFERED_MAX = 1_048_576;

/** Lists are replaced, not grown: one that grew keeps room for 17, on every idle socket. */
const NONE: readonly never[] = [];

/** One authenticated socket: who it is, what it may still send, and the way down to it. */
export class Connection {
  caller: Caller;
  expiresAt: number;
  readonly budget: SendBudget;
  /** A page of the admin area, which staffs no desk. */
  readonly manages: boolean;
  /** Conversations that this socket watches: a visitor's one, a console's few. */
  watching: readonly string[] = NONE;
  /** Messages this socket is having stored: their ack tells it all, so it gets no copy. */
  storing: Set<string> | undefined;
  /**
   * After a send was turned away for now, the conversation's next one must be that same message:
   * letting a later one through would store a sender's words out of order. Most sockets never need it.
   */
  resendFirst: Map<string, string> | undefined;
  readonly #wire: Wire;
  #corked = false;

  constructor(
    wire: Wire,
    session: { caller: Caller; expiresAt: number; budget: SendBudget; manages: boolean },
  ) {
    this.#wire = wire;
    this.caller = session.caller;
    this.expiresAt = session.expiresAt;
    this.budget = session.budget;
    this.manages = session.manages;
  }

  /** The desk at which visitors may count on this person, because of this socket. */
  staffedDesk(): string | null {
    const { caller } = this;
    return caller.kind === 'staff' && !caller.away && !this.manages ? caller.alias : null;
  }

  isOpen(): boolean {
    return this.#wire.isOpen();
  }

  tell(frame: Down): void {
    this.tellEncoded(encode(frame));
  }

  /** All that goes down in one turn of the event loop leaves in one write. */
  tellEncoded(frame: Buffer): void {
    if (!this.#wire.isOpen()) return;
    if (this.#wire.bufferedAmount > BUFFERED_MAX) {
      this.#wire.cut('slow_reader');
      return;
    }
    if (!this.#corked) {
      this.#corked = true;
      this.#wire.stream.cork();
      process.nextTick(() => {
        this.#corked = false;
        this.#wire.stream.uncork();
      });
    }
    this.#wire.send(frame, { binary: false });
  }

  refuse(code: ErrorCode, about: { conversationId?: string; id?: string } = {}): void {
    this.tell({ type: 'refused', code, ...about });
  }

  close(code: number, said: Said): void {
    this.#wire.endWith(code, said);
  }

  /** As which it is counted: a handler is whoever has the console open. */
  kind(): SocketKind {
    if (this.caller.kind === 'visitor') return 'visitor';
    return this.manages ? 'admin' : 'handler';
  }

  /** Ends the connection for good: the page must not come back by itself. */
  closeForGood(reason: CloseReason): void {
    this.close(CLOSE_FINAL, reason);
  }
}

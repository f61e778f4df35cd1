import type { Duplex } from 'node:stream';
import { CLOSE_FINAL, type CloseReason, type Down } from '@settee/protocol/down';
import type { ErrorCode } from '@settee/protocol/errors';
import type { WebSocket } from 'ws';
import type { Caller } from '../caller.ts';
import { encode } from './encode.ts';
import type { SendBudget } from './sendBudget.ts';

/** A reader this far behind is cut off; it comes back and resumes by number. */
const BUFFERED_MAX = 1_048_576;

/** One authenticated socket: who it is, what it may still send, and the way down to it. */
export class Connection {
  caller: Caller;
  expiresAt: number;
  readonly budget: SendBudget;
  /** Messages this socket is having stored: their ack tells it all, so it gets no copy. */
  readonly storing = new Set<string>();
  /**
   * After a send was turned away for now, the conversation's next one must be that same message:
   * letting a later one through would store a sender's words out of order.
   */
  readonly resendFirst = new Map<string, string>();
  readonly #socket: WebSocket;
  readonly #stream: Duplex;
  #corked = false;

  constructor(
    socket: WebSocket,
    stream: Duplex,
    session: { caller: Caller; expiresAt: number; budget: SendBudget },
  ) {
    this.#socket = socket;
    this.#stream = stream;
    this.caller = session.caller;
    this.expiresAt = session.expiresAt;
    this.budget = session.budget;
  }

  tell(frame: Down): void {
    this.tellEncoded(encode(frame));
  }

  /** All that goes down in one turn of the event loop leaves in one write. */
  tellEncoded(frame: Buffer): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > BUFFERED_MAX) {
      this.#socket.terminate();
      return;
    }
    if (!this.#corked) {
      this.#corked = true;
      this.#stream.cork();
      process.nextTick(() => {
        this.#corked = false;
        this.#stream.uncork();
      });
    }
    this.#socket.send(frame, { binary: false });
  }

  refuse(code: ErrorCode, about: { conversationId?: string; id?: string } = {}): void {
    this.tell({ type: 'refused', code, ...about });
  }

  close(code: number, reason = ''): void {
    this.#socket.close(code, reason);
  }

  /** Ends the connection for good: the page must not come back by itself. */
  closeForGood(reason: CloseReason): void {
    this.close(CLOSE_FINAL, reason);
  }
}

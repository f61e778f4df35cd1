import { type ErrorCode, isRetryable } from '@settee/protocol/calls/errorCodes';
import type { Span, Traces } from '../ports.ts';

type Side = NonNullable<Span['side']>;

/**
 * The way of one message through this gateway, for those few that are followed: notes the time at each stage and tells
 * all of it once it is answered. See docs/decisions/0019-traces.md.
 */
export class MessageSpan {
  readonly #traces: Traces;
  readonly #id: string;
  readonly #side: Side;
  /** How long the page had kept it; 0 when it did not say. */
  readonly #held: number;
  readonly #watch = new Stopwatch();
  readonly #began: number;
  #dequeued: { at: number; batchSize: number } | undefined;
  #committed: number | undefined;

  private constructor(traces: Traces, message: { id: string; side: Side; held: number }) {
    this.#traces = traces;
    this.#id = message.id;
    this.#side = message.side;
    this.#held = message.held;
    this.#began = this.#watch.now();
  }

  /** Undefined for most: where there are no traces, and for messages outside of the share that is followed. */
  static of(
    traces: Traces | undefined,
    message: { id: string; side: Side; held?: number | undefined },
  ): MessageSpan | undefined {
    if (traces?.follows(message.id) !== true) return undefined;
    return new MessageSpan(traces, { ...message, held: message.held ?? 0 });
  }

  /** It left the line of those that wait, in a batch of so many. */
  dequeued(batchSize: number): void {
    this.#dequeued = { at: this.#watch.now(), batchSize };
  }

  /** PostgreSQL answered for its batch. */
  committed(): void {
    this.#committed = this.#watch.now();
  }

  /** The sender was told that it is stored. */
  end(outcome: string): void {
    const now = this.#watch.now();
    const start = this.#began - this.#held;
    const children = [this.#send(now, outcome)];
    if (this.#held > 0) children.unshift({ name: 'browser.outbox', start, end: this.#began });
    this.#traces.tell(this.#id, { name: 'message', start, end: now, side: this.#side, outcome, children });
  }

  refused(code: ErrorCode): void {
    if (!isRetryable(code)) this.end(code);
    // It comes again: the message's own span is told with the try that settles it.
    else this.#traces.tell(this.#id, this.#send(this.#watch.now(), code));
  }

  #send(end: number, outcome: string): Span {
    const children: Span[] = [];
    const taken = this.#dequeued;
    if (taken !== undefined) {
      const { at, batchSize } = taken;
      children.push({ name: 'gateway.wait for batch', start: this.#began, end: at });
      children.push({ name: 'postgres.append', start: at, end: this.#committed ?? end, batchSize });
    }
    if (this.#committed !== undefined) children.push({ name: 'gateway.ack', start: this.#committed, end });
    return { name: 'gateway.send', start: this.#began, end, outcome, children };
  }
}

/** Times of the day, to a fraction of a millisecond, that never run backwards while it is used. */
export class Stopwatch {
  readonly #offset = Date.now() - performance.now();

  now(): number {
    return this.#offset + performance.now();
  }
}

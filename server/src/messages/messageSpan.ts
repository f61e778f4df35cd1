import { type ErrorCode, isRetryable } from '@settee/protocol/model/errorCodes';
import type { Span, Traces } from '../platform/ports/ports.ts';

type Side = NonNullable<Span['side']>;

const ID_KEY = '"id":"';
const ID_LENGTH = 36;

/** Wall-clock milliseconds with fractions that never run backwards. */
class Stopwatch {
  readonly #offset = Date.now() - performance.now();

  now(): number {
    return this.#offset + performance.now();
  }
}

/**
 * The path of one sampled message through this gateway. Collects the time of each stage and records them when the
 * sender is answered. See docs/decisions/0019-traces.md.
 */
export class MessageSpan {
  readonly #traces: Traces;
  readonly #id: string;
  readonly #side: Side;
  /** How long the message was in the browser's outbox; 0 when unknown. */
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

  /** Undefined without traces, and for messages that are not sampled. */
  static of(
    traces: Traces | undefined,
    message: { id: string; side: Side; held?: number | undefined },
  ): MessageSpan | undefined {
    if (traces?.isSampled(message.id) !== true) return undefined;
    return new MessageSpan(traces, { ...message, held: message.held ?? 0 });
  }

  /** The appender took the message from its queue, in a batch of this size. */
  dequeued(batchSize: number): void {
    this.#dequeued = { at: this.#watch.now(), batchSize };
  }

  /** PostgreSQL answered for the batch. */
  committed(): void {
    this.#committed = this.#watch.now();
  }

  /** The sender was answered. */
  end(outcome: string): void {
    const now = this.#watch.now();
    const start = this.#began - this.#held;
    const children = [this.#send(now, outcome)];
    if (this.#held > 0) children.unshift({ name: 'browser.outbox', start, end: this.#began });
    this.#traces.record(this.#id, { name: 'message', start, end: now, side: this.#side, outcome, children });
  }

  refused(code: ErrorCode): void {
    if (!isRetryable(code)) this.end(code);
    // The sender will retry. The root span is recorded with the last attempt.
    else this.#traces.record(this.#id, this.#send(this.#watch.now(), code));
  }

  #send(end: number, outcome: string): Span {
    const children: Span[] = [];
    if (this.#dequeued !== undefined) {
      const { at, batchSize } = this.#dequeued;
      children.push({ name: 'gateway.wait for batch', start: this.#began, end: at });
      children.push({ name: 'postgres.append', start: at, end: this.#committed ?? end, batchSize });
    }
    if (this.#committed !== undefined) children.push({ name: 'gateway.ack', start: this.#committed, end });
    return { name: 'gateway.send', start: this.#began, end, outcome, children };
  }
}

/** The delivery of one sampled message to the sockets of this gateway. */
export class DeliverySpan {
  readonly #traces: Traces;
  readonly #id: string;
  readonly #watch = new Stopwatch();
  readonly #began = this.#watch.now();

  private constructor(traces: Traces, id: string) {
    this.#traces = traces;
    this.#id = id;
  }

  static of(
    traces: Traces | undefined,
    frame: Buffer,
    knownId: string | undefined,
  ): DeliverySpan | undefined {
    if (traces === undefined) return undefined;
    const id = knownId ?? messageIdIn(frame);
    return traces.isSampled(id) ? new DeliverySpan(traces, id) : undefined;
  }

  end(sockets: number, heard: NonNullable<Span['heard']>): void {
    if (sockets === 0) return;
    const end = this.#watch.now();
    this.#traces.record(this.#id, { name: 'gateway.deliver', start: this.#began, end, sockets, heard });
  }
}

/** Frames from the bus are not parsed. Quotes inside a text are escaped, so this finds the key. */
function messageIdIn(frame: Buffer): string {
  const at = frame.indexOf(ID_KEY) + ID_KEY.length;
  return frame.toString('latin1', at, at + ID_LENGTH);
}

// A separate process: visitors that send at a given rate, and the handlers who read.
import { forEachConcurrently } from '../../server/src/limits/concurrency.ts';
import { openSocket } from './hello.ts';
import type { SignedIn } from './people.ts';
import { type Spread, spread } from './percentile.ts';
import { TEXT } from './text.ts';
import { clientFrame, patch, payloadStart, type Wire } from './wire.ts';

/** Sent to the generator once. */
export type Setup = { port: number; origin: string; visitors: SignedIn[]; handlers: SignedIn[] };
/** Sent to the generator for every step. */
export type Order = { rate: number; warmSeconds: number; seconds: number };
/** Messages from the generator: start and end of the measured window, and the result. */
export type GeneratorMessage =
  | { kind: 'ready' | 'windowStart' | 'windowEnd' }
  | { kind: 'failed'; why: string }
  | { kind: 'result'; result: StepResult };

export type StepResult = {
  /** Messages that the other side received within the window, and their rate per second. */
  received: number;
  rate: number;
  /** Milliseconds since a message was due, so that a late generator or gateway counts as slow. */
  receipt: Spread;
  ack: Spread;
  /** Delay of the generator itself. */
  late: Spread;
  sent: number;
  refused: number;
  /** Acknowledged, but not received by the other side. */
  lost: number;
  unacked: number;
  duplicated: number;
  outOfOrder: number;
  /** Why the gateway closed sockets. */
  closed: string[];
};

const DRAIN_MS = 10_000;
/** A message's id: random where the index sorts, then its number, which identifies it. */
const ID = '00000000-0000-4000-8000-000000000000';
const NUMBER_AT = 24;
const NUMBER_DIGITS = 12;
const ID_FIELD = '"id":"';
const SEQ_FIELD = '"seq":';
/** Position of the letter after `{"type":"`, and of the one after `{"type":"message`. */
const TYPE_AT = 9;
const AFTER_MESSAGE = 16;
const QUOTE = '"'.charCodeAt(0);
const ACK = 'a'.charCodeAt(0);
const MESSAGE = 'm'.charCodeAt(0);
const REFUSED = 'r'.charCodeAt(0);

type Sender = {
  wire: Wire;
  frame: Buffer;
  start: number;
  idAt: number;
  lastSeq: number;
  lastNumber: number;
};

/** One rate, from the first message to the last receipt. */
class Step {
  readonly #order: Order;
  readonly #senders: Sender[];
  readonly #base: number;
  readonly #total: number;
  readonly #startAt: number;
  readonly #by: Uint16Array;
  readonly #late: Float64Array;
  readonly #acked: Float64Array;
  readonly #received: Float64Array;
  #next = 0;
  #ackedCount = 0;
  #receivedCount = 0;
  #inWindow = 0;
  #refused = 0;
  #duplicated = 0;
  #outOfOrder = 0;
  readonly #closed: string[] = [];
  #random = (Math.random() * 2 ** 32) | 1;

  constructor(order: Order, senders: Sender[], base: number) {
    this.#order = order;
    this.#senders = senders;
    this.#base = base;
    this.#total = Math.round(order.rate * (order.warmSeconds + order.seconds));
    this.#by = new Uint16Array(this.#total);
    this.#late = new Float64Array(this.#total).fill(Number.NaN);
    this.#acked = new Float64Array(this.#total).fill(Number.NaN);
    this.#received = new Float64Array(this.#total).fill(Number.NaN);
    this.#startAt = performance.now() + 10;
  }

  get size(): number {
    return this.#total;
  }

  async run(report: (message: GeneratorMessage) => void): Promise<StepResult> {
    const { rate, warmSeconds, seconds } = this.#order;
    const windowStart = this.#startAt + warmSeconds * 1_000;
    const windowEnd = windowStart + seconds * 1_000;
    let measuring = false;
    for (let now = performance.now(); now < windowEnd; now = performance.now()) {
      if (!measuring && now >= windowStart) {
        measuring = true;
        this.#inWindow = 0;
        report({ kind: 'windowStart' });
      }
      this.#sendDue(now);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    const received = this.#inWindow;
    report({ kind: 'windowEnd' });
    this.#sendDue(windowEnd);
    const deadline = performance.now() + DRAIN_MS;
    while (this.#isOpen() && performance.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 20));
    const first = Math.round(rate * warmSeconds);
    return {
      received,
      rate: received / seconds,
      receipt: spread(known(this.#received.subarray(first))),
      ack: spread(known(this.#acked.subarray(first))),
      late: spread(known(this.#late.subarray(first))),
      sent: this.#next,
      refused: this.#refused,
      lost: this.#acked.filter((ms, index) => ms >= 0 && !((this.#received[index] ?? 0) >= 0)).length,
      unacked: this.#next - this.#ackedCount,
      duplicated: this.#duplicated,
      outOfOrder: this.#outOfOrder,
      closed: this.#closed,
    };
  }

  onAck(payload: Buffer): void {
    const index = numberIn(payload) - this.#base;
    if (!(index >= 0 && index < this.#total)) return;
    this.#acked[index] = performance.now() - this.#dueAt(index);
    this.#ackedCount += 1;
  }

  onMessage(payload: Buffer): void {
    const number = numberIn(payload);
    const index = number - this.#base;
    const sender = this.#senders[this.#by[index] ?? -1];
    if (!(index >= 0 && index < this.#total) || sender === undefined) return;
    if ((this.#received[index] ?? 0) >= 0) {
      this.#duplicated += 1;
      return;
    }
    this.#received[index] = performance.now() - this.#dueAt(index);
    this.#receivedCount += 1;
    this.#inWindow += 1;
    const seq = digitsAfter(payload, SEQ_FIELD);
    if (seq !== sender.lastSeq + 1 || number <= sender.lastNumber) this.#outOfOrder += 1;
    sender.lastSeq = seq;
    sender.lastNumber = number;
  }

  onRefusal(): void {
    this.#refused += 1;
  }

  onClose(why: string): void {
    this.#closed.push(why);
  }

  #isOpen(): boolean {
    const settled = this.#next - this.#refused;
    return this.#ackedCount < settled || this.#receivedCount < settled;
  }

  #dueAt(index: number): number {
    return this.#startAt + (index * 1_000) / this.#order.rate;
  }

  #sendDue(now: number): void {
    // Saturated. A page would now wait and send again; this step only needs to end.
    if (this.#refused > 0) return;
    while (this.#next < this.#total && this.#dueAt(this.#next) <= now) {
      const index = this.#next++;
      const by = this.#draw() % this.#senders.length;
      const sender = this.#senders[by] as Sender;
      this.#by[index] = by;
      const frame = Buffer.from(sender.frame);
      patch(frame, sender.start, sender.idAt, hex(this.#draw(), 8));
      patch(frame, sender.start, sender.idAt + NUMBER_AT, hex(this.#base + index, NUMBER_DIGITS));
      sender.wire.write(frame);
      this.#late[index] = performance.now() - this.#dueAt(index);
    }
  }

  /** Xorshift: random enough to choose a sender, and cheap. */
  #draw(): number {
    this.#random ^= this.#random << 13;
    this.#random ^= this.#random >>> 17;
    this.#random ^= this.#random << 5;
    return this.#random >>> 0;
  }
}

function known(values: Float64Array): Float64Array {
  return values.filter((value) => !Number.isNaN(value));
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

function numberIn(payload: Buffer): number {
  const at = payload.indexOf(ID_FIELD) + ID_FIELD.length + NUMBER_AT;
  return Number.parseInt(payload.toString('latin1', at, at + NUMBER_DIGITS), 16);
}

function digitsAfter(payload: Buffer, field: string): number {
  let value = 0;
  for (let at = payload.indexOf(field) + field.length; ; at += 1) {
    const digit = (payload[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) return value;
    value = value * 10 + digit;
  }
}

let step: Step | undefined;

/** A sender can also receive its own message after the ack. This does not count as a receipt. */
function receiveAsVisitor(payload: Buffer): void {
  if (payload[TYPE_AT] === ACK) step?.onAck(payload);
  else if (payload[TYPE_AT] === REFUSED) step?.onRefusal();
}

function receiveAsHandler(payload: Buffer): void {
  if (payload[TYPE_AT] === MESSAGE && payload[AFTER_MESSAGE] === QUOTE) step?.onMessage(payload);
}

function senderOver(wire: Wire, conversationId: string, watched: Buffer): Sender {
  const text = JSON.stringify({ type: 'send', conversationId, id: ID, text: TEXT });
  const frame = clientFrame(text);
  return {
    wire,
    frame,
    start: payloadStart(frame),
    idAt: text.indexOf(ID_FIELD) + ID_FIELD.length,
    lastSeq: digitsAfter(watched, '"head":'),
    lastNumber: 0,
  };
}

async function connectAll(setup: Setup): Promise<Sender[]> {
  const senders: Sender[] = [];
  const connect = async ({ token, conversationIds }: SignedIn, isVisitor: boolean): Promise<void> => {
    const wire = await openSocket(setup.port, setup.origin, token);
    // As the console does: first its queue, then its open conversations.
    if (!isVisitor) await wire.ask({ type: 'watchQueue' }, 'queue');
    for (const conversationId of conversationIds) {
      const watched = await wire.ask({ type: 'watch', conversationId }, 'watched');
      if (isVisitor) senders.push(senderOver(wire, conversationId, watched));
    }
    wire.onFrame = isVisitor ? receiveAsVisitor : receiveAsHandler;
    wire.onClose = (why) => step?.onClose(why);
  };
  await forEachConcurrently(setup.handlers, 10, (handler) => connect(handler, false));
  await forEachConcurrently(setup.visitors, 10, (visitor) => connect(visitor, true));
  return senders;
}

function report(message: GeneratorMessage): void {
  process.send?.(message);
}

process.once('message', (setup: Setup) => {
  // A random start, so that messages of an earlier generator in the same conversations are not counted.
  let base = Math.floor(Math.random() * 2 ** 40);
  connectAll(setup).then(
    (senders) => {
      process.on('message', (order: Order) => {
        step = new Step(order, senders, base);
        base += step.size;
        step.run(report).then(
          (result) => report({ kind: 'result', result }),
          (error: unknown) => report({ kind: 'failed', why: String(error) }),
        );
      });
      report({ kind: 'ready' });
    },
    (error: unknown) => report({ kind: 'failed', why: String(error) }),
  );
});

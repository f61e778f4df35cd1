// A separate process: visitors that send at a given rate, and the handlers who read.
import { setTimeout as sleep } from 'node:timers/promises';
import { frameMaker, generate, numberIn } from './chat.ts';
import { type Spread, spread } from './percentile.ts';
import type { Wire } from './wire.ts';

/** Sent to the generator for every step. */
export type Order = { rate: number; warmSeconds: number; seconds: number };
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

/** One who sends, and the last that the other side received from it. */
type Sender = {
  wire: Wire;
  frameOf: ReturnType<typeof frameMaker>;
  lastSeq: number;
  lastNumber: number;
};

const DRAIN_MS = 10_000;

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

  async run(onWindow: (kind: 'windowStart' | 'windowEnd') => void): Promise<StepResult> {
    const { rate, warmSeconds, seconds } = this.#order;
    const windowStart = this.#startAt + warmSeconds * 1_000;
    const windowEnd = windowStart + seconds * 1_000;
    let measuring = false;
    for (let now = performance.now(); now < windowEnd; now = performance.now()) {
      if (!measuring && now >= windowStart) {
        measuring = true;
        this.#inWindow = 0;
        onWindow('windowStart');
      }
      this.#sendDue(now);
      await sleep(1);
    }
    const received = this.#inWindow;
    onWindow('windowEnd');
    this.#sendDue(windowEnd);
    const deadline = performance.now() + DRAIN_MS;
    while (this.#isOpen() && performance.now() < deadline) await sleep(20);
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

  onAck(number: number): void {
    const index = number - this.#base;
    if (!(index >= 0 && index < this.#total)) return;
    this.#acked[index] = performance.now() - this.#dueAt(index);
    this.#ackedCount += 1;
  }

  onMessage(number: number, seq: number): void {
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
      sender.wire.write(sender.frameOf(this.#base + index, this.#draw()));
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

const SEQ_FIELD = '"seq":';
/** Position of the letter after `{"type":"`, and of the one after `{"type":"message`. */
const TYPE_AT = 9;
const AFTER_MESSAGE = 16;
const QUOTE = '"'.charCodeAt(0);
const ACK = 'a'.charCodeAt(0);
const MESSAGE = 'm'.charCodeAt(0);
const REFUSED = 'r'.charCodeAt(0);

let step: Step | undefined;

function digitsAfter(payload: Buffer, field: string): number {
  let value = 0;
  for (let at = payload.indexOf(field) + field.length; ; at += 1) {
    const digit = (payload[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) return value;
    value = value * 10 + digit;
  }
}

/** A sender can also receive its own message after the ack. This does not count as a receipt. */
function receiveAsVisitor(payload: Buffer): void {
  if (payload[TYPE_AT] === ACK) step?.onAck(numberIn(payload));
  else if (payload[TYPE_AT] === REFUSED) step?.onRefusal();
}

function receiveAsHandler(payload: Buffer): void {
  if (payload[TYPE_AT] !== MESSAGE || payload[AFTER_MESSAGE] !== QUOTE) return;
  step?.onMessage(numberIn(payload), digitsAfter(payload, SEQ_FIELD));
}

const senders: Sender[] = [];
// A random start, so that messages of an earlier generator in the same conversations are not counted.
let base = Math.floor(Math.random() * 2 ** 40);

generate<Order, StepResult>(
  {
    visitor(wire, conversationId, watched) {
      const lastSeq = digitsAfter(watched, '"head":');
      senders.push({ wire, frameOf: frameMaker(conversationId), lastSeq, lastNumber: 0 });
      wire.onFrame = receiveAsVisitor;
    },
    handler(wire) {
      wire.onFrame = receiveAsHandler;
    },
    close: (why) => step?.onClose(why),
  },
  (order, onWindow) => {
    step = new Step(order, senders, base);
    base += step.size;
    return step.run(onWindow);
  },
);

// A separate process: visitors whose pages send more than the gateway can store, and the handlers who read.
import { backOffDelay } from '../../web/src/net/backOff.ts';
import { openSocket } from './hello.ts';
import type { SignedIn } from './people.ts';
import { TEXT } from './text.ts';
import { clientFrame, patch, payloadStart, type Wire } from './wire.ts';

export type OverloadSetup = { port: number; origin: string; visitors: SignedIn[]; handlers: SignedIn[] };
/** Rates per second and their durations, one after another. */
export type OverloadOrder = { rate: number; seconds: number }[];

export type OverloadPhase = {
  rate: number;
  /** Acknowledged messages per second. */
  goodput: number;
  /** Milliseconds from the accepted attempt to its ack, with the time of the ack since the start of the phase. */
  acks: Float64Array;
  ackedAt: Float64Array;
  refused: number;
  /** Messages that were never sent, because the outbox of their page was full. */
  unsent: number;
};
export type OverloadResult = {
  phases: OverloadPhase[];
  lost: number;
  duplicated: number;
  outOfOrder: number;
  closed: string[];
};
export type OverloadMessage =
  | { kind: 'ready' }
  | { kind: 'failed'; why: string }
  | { kind: 'result'; result: OverloadResult };

/** As in the product. */
const FLYING_MAX = 20;
/** People do not write more while nothing leaves. */
const OUTBOX_MAX = 20;
const DRAIN_MS = 10_000;
const ID = '00000000-0000-4000-8000-000000000000';
const ID_FIELD = '"id":"';
const NUMBER_AT = 24;
const NUMBER_DIGITS = 12;

type Phase = { began: number; acks: number[]; ackedAt: number[]; refused: number; unsent: number };

let phase: Phase | undefined;
let duplicated = 0;
let outOfOrder = 0;
const closed: string[] = [];
const acked = new Set<number>();
const received = new Set<number>();
let next = Math.floor(Math.random() * 2 ** 40);

/** Sends like the page: in order, a limited number in flight, and after a refusal again from the first one on. */
class Page {
  /** Numbers of messages without an ack, in order. The first `#flying` are on their way. */
  readonly #outbox: number[] = [];
  readonly #sentAt = new Map<number, number>();
  readonly #wire: Wire;
  readonly #frame: Buffer;
  readonly #start: number;
  readonly #idAt: number;
  #flying = 0;
  #held = false;
  #refusals = 0;

  constructor(wire: Wire, conversationId: string) {
    const text = JSON.stringify({ type: 'send', conversationId, id: ID, text: TEXT });
    this.#wire = wire;
    this.#frame = clientFrame(text);
    this.#start = payloadStart(this.#frame);
    this.#idAt = text.indexOf(ID_FIELD) + ID_FIELD.length;
    wire.onFrame = (payload) => this.#receive(payload.toString('latin1'));
  }

  get isIdle(): boolean {
    return this.#outbox.length === 0;
  }

  write(): void {
    if (this.#outbox.length >= OUTBOX_MAX) {
      if (phase !== undefined) phase.unsent += 1;
      return;
    }
    this.#outbox.push(next++);
    this.#send();
  }

  #send(): void {
    while (!this.#held && this.#flying < Math.min(FLYING_MAX, this.#outbox.length)) {
      const number = this.#outbox[this.#flying++] as number;
      const frame = Buffer.from(this.#frame);
      // The id must be the same in every attempt, so its start depends on the number.
      patch(frame, this.#start, this.#idAt, ((number * 2_654_435_761) >>> 0).toString(16).padStart(8, '0'));
      const digits = number.toString(16).padStart(NUMBER_DIGITS, '0');
      patch(frame, this.#start, this.#idAt + NUMBER_AT, digits);
      this.#wire.write(frame);
      this.#sentAt.set(number, performance.now());
    }
  }

  #receive(text: string): void {
    if (text.startsWith('{"type":"ack"')) this.#onAck(numberIn(text));
    else if (text.startsWith('{"type":"refused"')) this.#onRefusal();
  }

  #onAck(number: number): void {
    const at = this.#outbox.indexOf(number);
    const now = performance.now();
    acked.add(number);
    if (at < 0) return;
    this.#outbox.splice(at, 1);
    if (at < this.#flying) this.#flying -= 1;
    this.#refusals = 0;
    phase?.acks.push(now - (this.#sentAt.get(number) ?? now));
    phase?.ackedAt.push(now - phase.began);
    this.#sentAt.delete(number);
    this.#send();
  }

  #onRefusal(): void {
    if (phase !== undefined) phase.refused += 1;
    // The others in flight are refused too.
    if (this.#held) return;
    this.#held = true;
    this.#refusals += 1;
    setTimeout(
      () => {
        this.#held = false;
        this.#flying = 0;
        this.#send();
      },
      backOffDelay(this.#refusals, Math.random),
    );
  }
}

function numberIn(text: string): number {
  const at = text.indexOf(ID_FIELD) + ID_FIELD.length + NUMBER_AT;
  return Number.parseInt(text.slice(at, at + NUMBER_DIGITS), 16);
}

async function connectAll({ port, origin, visitors, handlers }: OverloadSetup): Promise<Page[]> {
  for (const { token, conversationIds } of handlers) {
    const wire = await openSocket(port, origin, token);
    await wire.ask({ type: 'watchQueue' }, 'queue');
    for (const conversationId of conversationIds)
      await wire.ask({ type: 'watch', conversationId }, 'watched');
    const last = new Map<string, number>();
    wire.onFrame = (payload) => {
      const text = payload.toString('latin1');
      if (!text.startsWith('{"type":"message"')) return;
      const number = numberIn(text);
      if (received.has(number)) duplicated += 1;
      received.add(number);
      // All pages share one counter, so the numbers of each conversation increase.
      const conversation = /"conversationId":"([^"]+)"/.exec(text)?.[1] ?? '';
      if (number <= (last.get(conversation) ?? 0)) outOfOrder += 1;
      last.set(conversation, number);
    };
    wire.onClose = (why) => void closed.push(why);
  }
  const pages: Page[] = [];
  for (const { token, conversationIds } of visitors) {
    const wire = await openSocket(port, origin, token);
    for (const conversationId of conversationIds) {
      await wire.ask({ type: 'watch', conversationId }, 'watched');
      pages.push(new Page(wire, conversationId));
    }
    wire.onClose = (why) => void closed.push(why);
  }
  return pages;
}

async function runPhase(pages: Page[], { rate, seconds }: OverloadOrder[number]): Promise<OverloadPhase> {
  const began = performance.now();
  const mine: Phase = { began, acks: [], ackedAt: [], refused: 0, unsent: 0 };
  phase = mine;
  let written = 0;
  for (let now = began; now < began + seconds * 1_000; now = performance.now()) {
    for (const due = ((now - began) / 1_000) * rate; written < due; written += 1)
      pages[Math.floor(Math.random() * pages.length)]?.write();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  phase = undefined;
  return {
    rate,
    goodput: mine.acks.length / seconds,
    acks: Float64Array.from(mine.acks),
    ackedAt: Float64Array.from(mine.ackedAt),
    refused: mine.refused,
    unsent: mine.unsent,
  };
}

async function runAll(pages: Page[], order: OverloadOrder): Promise<OverloadResult> {
  const phases: OverloadPhase[] = [];
  for (const each of order) phases.push(await runPhase(pages, each));
  const deadline = performance.now() + DRAIN_MS;
  const isDone = (): boolean => pages.every(({ isIdle }) => isIdle) && received.size >= acked.size;
  while (!isDone() && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
  const lost = [...acked].filter((number) => !received.has(number)).length;
  return { phases, lost, duplicated, outOfOrder, closed };
}

function report(message: OverloadMessage): void {
  process.send?.(message);
}

process.once('message', (setup: OverloadSetup) => {
  const failed = (error: unknown): void => report({ kind: 'failed', why: String(error) });
  connectAll(setup).then((pages) => {
    process.once('message', (order: OverloadOrder) => {
      runAll(pages, order).then((result) => report({ kind: 'result', result }), failed);
    });
    report({ kind: 'ready' });
  }, failed);
});

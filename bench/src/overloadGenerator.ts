// A separate process: visitors whose pages send more than the gateway can store, and the handlers who read.
import { setTimeout as sleep } from 'node:timers/promises';
import { backOffDelay } from '../../web/src/net/backOff.ts';
import { frameMaker, generate, numberIn } from './chat.ts';
import type { Wire } from './wire.ts';

/** Rates per second and their durations, one after another. */
export type OverloadOrder = { rate: number; seconds: number }[];

export type OverloadPhase = {
  /** Acknowledged messages per second. */
  goodput: number;
  /** Milliseconds from the accepted attempt to its ack, with the time of the ack since the start of the phase. */
  acks: number[];
  ackedAt: number[];
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
/** As in the product. */
const FLYING_MAX = 20;
/** People do not write more while nothing leaves. */
const OUTBOX_MAX = 20;
const DRAIN_MS = 10_000;

let phase: (OverloadPhase & { began: number }) | undefined;
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
  readonly #frameOf: ReturnType<typeof frameMaker>;
  #flying = 0;
  #held = false;
  #refusals = 0;

  constructor(wire: Wire, conversationId: string) {
    this.#wire = wire;
    this.#frameOf = frameMaker(conversationId);
    wire.onFrame = (payload) => this.#receive(payload);
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
      // The id must be the same in every attempt, so its start depends on the number.
      this.#wire.write(this.#frameOf(number, (number * 2_654_435_761) >>> 0));
      this.#sentAt.set(number, performance.now());
    }
  }

  #receive(payload: Buffer): void {
    const text = payload.toString('latin1');
    if (text.startsWith('{"type":"ack"')) this.#onAck(numberIn(payload));
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

/** The handler's side: every message once and in order. */
function receiveAsHandler(wire: Wire): void {
  const last = new Map<string, number>();
  wire.onFrame = (payload) => {
    const text = payload.toString('latin1');
    if (!text.startsWith('{"type":"message"')) return;
    const number = numberIn(payload);
    if (received.has(number)) duplicated += 1;
    received.add(number);
    // All pages share one counter, so the numbers of each conversation increase.
    const conversation = /"conversationId":"([^"]+)"/.exec(text)?.[1] ?? '';
    if (number <= (last.get(conversation) ?? 0)) outOfOrder += 1;
    last.set(conversation, number);
  };
}

async function runPhase({ rate, seconds }: OverloadOrder[number]): Promise<OverloadPhase> {
  const began = performance.now();
  const mine: OverloadPhase = { goodput: 0, acks: [], ackedAt: [], refused: 0, unsent: 0 };
  phase = Object.assign(mine, { began });
  let written = 0;
  for (let now = began; now < began + seconds * 1_000; now = performance.now()) {
    for (const due = ((now - began) / 1_000) * rate; written < due; written += 1)
      pages[Math.floor(Math.random() * pages.length)]?.write();
    await sleep(1);
  }
  phase = undefined;
  return { ...mine, goodput: mine.acks.length / seconds };
}

async function runAll(order: OverloadOrder): Promise<OverloadResult> {
  const phases: OverloadPhase[] = [];
  for (const each of order) phases.push(await runPhase(each));
  const deadline = performance.now() + DRAIN_MS;
  const isDone = (): boolean => pages.every(({ isIdle }) => isIdle) && received.size >= acked.size;
  while (!isDone() && performance.now() < deadline) await sleep(20);
  const lost = [...acked].filter((number) => !received.has(number)).length;
  return { phases, lost, duplicated, outOfOrder, closed };
}

const pages: Page[] = [];

generate<OverloadOrder, OverloadResult>(
  {
    visitor: (wire, conversationId) => void pages.push(new Page(wire, conversationId)),
    handler: receiveAsHandler,
    close: (why) => void closed.push(why),
  },
  runAll,
);

import type { QueueRow } from '@settee/protocol/model/conversation';
import { type HistoryWriter, hashText, type Marks, type ReadMessage, type Sender } from './history.ts';

/** One screen with one conversation. */
export type Device = {
  readonly name: string;
  readonly conversation: string;
  readonly sender: Sender;
  /** Writes its next message. */
  write(): void;
  /** The number of messages without an ack. */
  unacked(): number;
  /** Whether nothing is left to send, not even a retry. */
  isIdle(): boolean;
  /** The number up to which its messages have no gap. */
  lastSeq(): number;
  read(): ReadMessage[];
  /** Looks at everything that it shows, so that its side has seen it. */
  look(): void;
  /** The highest number that it reported as seen. */
  reported(): number;
  /** The seen marks that it shows. */
  marks(): Marks;
  /** The queue that a console shows. */
  queue?(): readonly QueueRow[];
  /** The state of the device, for a run that does not finish. */
  describe(): string;
  stop(): void;
};

export type Who = Pick<Device, 'name' | 'conversation' | 'sender'>;

/** Writes the history and counts what the run needs. */
export class Recorder {
  ackedCount = 0;
  attemptedCount = 0;
  /** `send` frames, including retries. */
  sendFrames = 0;
  readonly refusals = new Map<string, number>();
  readonly troubles: string[] = [];
  /** Milliseconds from commit to receipt, while nothing was broken. */
  readonly latencies: number[] = [];
  measuring = false;
  readonly #history: HistoryWriter;
  readonly #acked = new Map<string, string>();
  readonly #heads = new Map<string, number>();
  readonly #lastAck = new Map<string, number>();
  readonly #orders = new Map<string, number>();
  readonly #marks = new Map<string, string>();

  constructor(history: HistoryWriter) {
    this.#history = history;
  }

  attempted(who: Who, id: string, text: string): void {
    const { name: device, conversation, sender } = who;
    const key = `${device} ${conversation}`;
    const order = this.#orders.get(key) ?? 0;
    this.#orders.set(key, order + 1);
    this.attemptedCount += 1;
    this.#history.write({ type: 'attempted', conversation, device, order, id, sender, text: hashText(text) });
  }

  acked(who: Who, ack: { id: string; seq: number; createdAt: number }): void {
    const { id, seq, createdAt } = ack;
    this.#lastAck.set(`${who.name} ${who.conversation}`, performance.now());
    const known = `${seq} ${createdAt}`;
    const before = this.#acked.get(id);
    // Records only acks that differ from the first one.
    if (before === known) return;
    if (before === undefined) this.ackedCount += 1;
    this.#acked.set(id, known);
    this.#heads.set(who.conversation, Math.max(this.head(who.conversation), seq));
    this.#history.write({
      type: 'acked',
      conversation: who.conversation,
      device: who.name,
      id,
      seq,
      createdAt,
    });
  }

  seen(who: Who, seq: number): void {
    const { name: device, conversation, sender } = who;
    this.#history.write({ type: 'seen', conversation, device, sender, seq });
  }

  marks(who: Who, { visitorSeen, ownerSeen }: Marks): void {
    const { name: device, conversation } = who;
    const key = `${device} ${conversation}`;
    const shown = `${visitorSeen} ${ownerSeen}`;
    if (this.#marks.get(key) === shown) return;
    this.#marks.set(key, shown);
    this.#history.write({ type: 'marks', conversation, device, visitorSeen, ownerSeen });
  }

  /** A device shows this message, with its number. */
  shown(_who: Who, _id: string): void {}

  received(createdAt: number): void {
    if (this.measuring) this.latencies.push(Date.now() - createdAt);
  }

  /** An event that must not happen to a client in any fault. */
  trouble(what: string): void {
    this.troubles.push(what);
  }

  refused(code: string): void {
    this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1);
  }

  /** The highest acknowledged number. Every device must reach it. */
  head(conversation: string): number {
    return this.#heads.get(conversation) ?? 0;
  }

  ackedSince(who: Who, moment: number): boolean {
    return (this.#lastAck.get(`${who.name} ${who.conversation}`) ?? Number.NEGATIVE_INFINITY) >= moment;
  }
}

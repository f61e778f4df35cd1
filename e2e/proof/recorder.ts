import { type HistoryWriter, hashText, type ReadMessage, type Sender } from './history.ts';

/** One screen of one conversation, however it is made. */
export type Device = {
  readonly name: string;
  readonly conversation: string;
  readonly sender: Sender;
  /** Writes its next message. */
  write(): void;
  /** Messages written and not yet acknowledged. */
  unacked(): number;
  /** Nothing left to send, not even a retry of what was acknowledged long ago. */
  isIdle(): boolean;
  /** The number up to which its log has no gap. */
  lastSeq(): number;
  read(): ReadMessage[];
  /** For a run that does not come to rest: where this one stands. */
  describe(): string;
  stop(): void;
};

type Who = Pick<Device, 'name' | 'conversation' | 'sender'>;

/** Writes the history down while it happens, and keeps the few figures that the run steers by. */
export class Recorder {
  ackedCount = 0;
  attemptedCount = 0;
  /** Frames of `send` that went out, repeats included. */
  sendFrames = 0;
  readonly refusals = new Map<string, number>();
  readonly troubles: string[] = [];
  /** Milliseconds from the commit to the receipt, while nothing was broken. */
  readonly latencies: number[] = [];
  measuring = false;
  readonly #history: HistoryWriter;
  readonly #acked = new Map<string, string>();
  readonly #heads = new Map<string, number>();
  readonly #lastAck = new Map<string, number>();
  readonly #orders = new Map<string, number>();

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
    const said = `${seq} ${createdAt}`;
    const before = this.#acked.get(id);
    // Of the acks of one message only those that say something new are worth a line.
    if (before === said) return;
    if (before === undefined) this.ackedCount += 1;
    this.#acked.set(id, said);
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

  received(createdAt: number): void {
    if (this.measuring) this.latencies.push(Date.now() - createdAt);
  }

  /** Something that must not happen to a client, whatever is broken. */
  trouble(what: string): void {
    this.troubles.push(what);
  }

  refused(code: string): void {
    this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1);
  }

  /** The highest number that anybody was promised: every device must get there. */
  head(conversation: string): number {
    return this.#heads.get(conversation) ?? 0;
  }

  ackedSince(who: Who, moment: number): boolean {
    return (this.#lastAck.get(`${who.name} ${who.conversation}`) ?? Number.NEGATIVE_INFINITY) >= moment;
  }
}

import type { QueueRow } from '@settee/protocol/model/conversation';
import { type ErrorCode, isRetryable } from '@settee/protocol/model/errorCodes';
import {
  type HistoryWriter,
  hashText,
  type Marks,
  type ReadMessage,
  type Sender,
} from '../checks/history.ts';

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

/** From writing to ack, in milliseconds of `performance.now()`. */
export type Wait = { device: string; writtenAt: number; ackedAt: number };

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
  readonly #ackedIn = new Map<string, number>();
  readonly #heads = new Map<string, number>();
  readonly #lastAck = new Map<string, number>();
  readonly #orders = new Map<string, number>();
  readonly #marks = new Map<string, string>();
  readonly #written = new Map<string, { device: string; writtenAt: number }>();
  /** How long each message waited for its ack. */
  readonly waits: Wait[] = [];

  constructor(history: HistoryWriter) {
    this.#history = history;
  }

  /** This device follows its conversation to the end. */
  follows({ conversation, name: device }: Who): void {
    this.#history.write({ type: 'device', conversation, device });
  }

  attempted(who: Who, id: string, text: string): void {
    this.#written.set(id, { device: who.name, writtenAt: performance.now() });
    const { name: device, conversation, sender } = who;
    const key = `${device} ${conversation}`;
    const order = this.#orders.get(key) ?? 0;
    this.#orders.set(key, order + 1);
    this.attemptedCount += 1;
    this.#history.write({ type: 'attempted', conversation, device, order, id, sender, text: hashText(text) });
  }

  acked(who: Who, ack: { id: string; seq: number; createdAt: number }): void {
    const { id, seq, createdAt } = ack;
    this.#confirm(id);
    this.#lastAck.set(`${who.name} ${who.conversation}`, performance.now());
    const known = `${seq} ${createdAt}`;
    const before = this.#acked.get(id);
    // Records only acks that differ from the first one.
    if (before === known) return;
    if (before === undefined) {
      this.ackedCount += 1;
      this.#ackedIn.set(who.conversation, (this.#ackedIn.get(who.conversation) ?? 0) + 1);
    }
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
  shown(who: Who, id: string): void {
    if (this.#written.get(id)?.device === who.name) this.#confirm(id);
  }

  #confirm(id: string): void {
    const written = this.#written.get(id);
    if (written === undefined) return;
    this.#written.delete(id);
    this.waits.push({ ...written, ackedAt: performance.now() });
  }

  /** The longest wait that ended in this period, or that has not ended. */
  longestWait(from: number, to = Number.POSITIVE_INFINITY): number {
    const now = performance.now();
    const ended = this.waits.filter(({ ackedAt }) => ackedAt >= from && ackedAt <= to);
    const open =
      to > now ? [...this.#written.values()].map(({ writtenAt }) => ({ writtenAt, ackedAt: now })) : [];
    return [...ended, ...open].reduce((longest, each) => Math.max(longest, each.ackedAt - each.writtenAt), 0);
  }

  received(createdAt: number): void {
    if (this.measuring) this.latencies.push(Date.now() - createdAt);
  }

  /** An event that must not happen to a client in any fault. */
  trouble(what: string): void {
    this.troubles.push(what);
  }

  refused(who: string, code: ErrorCode): void {
    if (!isRetryable(code)) this.trouble(`${who} was permanently refused: ${code}`);
    this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1);
  }

  /** The highest acknowledged number. Every device must reach it. */
  head(conversation: string): number {
    return this.#heads.get(conversation) ?? 0;
  }

  /** The acknowledged messages of these conversations. */
  ackedOf(devices: readonly Who[]): number {
    const conversations = new Set(devices.map(({ conversation }) => conversation));
    return [...conversations].reduce((sum, each) => sum + (this.#ackedIn.get(each) ?? 0), 0);
  }

  ackedSince(who: Who, moment: number): boolean {
    return (this.#lastAck.get(`${who.name} ${who.conversation}`) ?? Number.NEGATIVE_INFINITY) >= moment;
  }
}

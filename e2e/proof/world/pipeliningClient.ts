import { CLOSE_FINAL, type Down } from '@settee/protocol/frames/down';
import type { Up } from '@settee/protocol/frames/up';
import { PROTOCOL_VERSION } from '@settee/protocol/frames/version';
import { isRetryable } from '@settee/protocol/model/errorCodes';
import type { Message } from '@settee/protocol/model/message';
import { WebSocket } from 'ws';
import { hashText, type Marks, type ReadMessage, type Sender } from '../checks/history.ts';
import type { Random } from '../random.ts';
import type { Device, Recorder } from './recorder.ts';
import { composeText, planRetries } from './writing.ts';

const SILENT_TOO_LONG_MS = 1_500;
const LOOK_EVERY_MS = 250;
const RECONNECT_BASE_MS = 40;
const RECONNECT_CAP_MS = 1_000;

type Parts = {
  name: string;
  conversation: string;
  sender: Sender;
  token: string;
  url: string;
  origin: string;
  random: Random;
  recorder: Recorder;
  /** The share of messages that are also sent again when not needed. */
  retries: number;
};

/**
 * A client that is harder on the server than the product's: it sends many messages at once, drops a silent connection
 * within seconds and reconnects at once to any gateway.
 */
export class PipeliningClient implements Device {
  readonly name: string;
  readonly conversation: string;
  readonly sender: Sender;
  readonly #parts: Parts;
  readonly #messages = new Map<number, Message>();
  /** Messages that were replaced by another one with the same number. There must be none. */
  readonly #displaced: Message[] = [];
  #last = 0;
  /** What it reported as seen. */
  #looked = 0;
  #view = { rev: -1, visitorSeen: 0, ownerSeen: 0 };
  #outbox: { id: string; text: string }[] = [];
  #retriesAhead = 0;
  #written = 0;
  #socket: WebSocket | undefined;
  /** Whether `watch` was sent. Messages follow it at once. */
  #askedToWatch = false;
  #watching = false;
  #asking = false;
  #backingOff = false;
  #failures = 0;
  #receivedAt = performance.now();
  #stopped = false;
  readonly #looking: NodeJS.Timeout;

  constructor(parts: Parts) {
    this.name = parts.name;
    this.conversation = parts.conversation;
    this.sender = parts.sender;
    this.#parts = parts;
    this.#looking = setInterval(() => this.#dropIfSilent(), LOOK_EVERY_MS);
    this.#connect();
  }

  write(): void {
    const { random, recorder } = this.#parts;
    const message = { id: random.uuid(), text: composeText(random, this.name, this.#written) };
    this.#written += 1;
    recorder.attempted(this, message.id, message.text);
    this.#outbox.push(message);
    this.#retriesAhead += 1;
    if (this.#askedToWatch && !this.#backingOff) this.#send(message);
  }

  unacked(): number {
    return this.#outbox.length;
  }

  isIdle(): boolean {
    return this.#outbox.length === 0 && this.#retriesAhead === 0;
  }

  lastSeq(): number {
    return this.#last;
  }

  read(): ReadMessage[] {
    const shown = [...this.#messages.values(), ...this.#displaced];
    return shown
      .toSorted((a, b) => a.seq - b.seq)
      .map(({ seq, id, sender, text, createdAt }) => [seq, id, sender, hashText(text), createdAt]);
  }

  look(): void {
    if (this.#last <= this.#looked) return;
    // Not always to the end, as on a small screen.
    this.#looked = this.#parts.random.whole(this.#looked + 1, this.#last);
    if (this.#watching) this.#sendSeen();
  }

  reported(): number {
    return this.#looked;
  }

  marks(): Marks {
    const { visitorSeen, ownerSeen } = this.#view;
    return { visitorSeen, ownerSeen };
  }

  describe(): string {
    const line = this.#watching ? 'watching' : this.#socket === undefined ? 'down' : 'connecting';
    return `${this.name} of ${this.conversation}: ${line}, ${this.#outbox.length} unacknowledged, ${this.#retriesAhead} retries ahead, read up to ${this.#last}`;
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#looking);
    this.#socket?.terminate();
  }

  #connect(): void {
    if (this.#stopped) return;
    const { url, origin, token } = this.#parts;
    const socket = new WebSocket(url, { origin, perMessageDeflate: false });
    this.#socket = socket;
    this.#receivedAt = performance.now();
    socket.on('open', () =>
      socket.send(JSON.stringify({ type: 'hello', version: PROTOCOL_VERSION, token } satisfies Up)),
    );
    socket.on('message', (data: Buffer) => {
      if (socket !== this.#socket) return;
      this.#receivedAt = performance.now();
      this.#receive(JSON.parse(data.toString()) as Down);
    });
    socket.on('error', () => {});
    socket.on('close', (code, reason) => {
      if (code === CLOSE_FINAL)
        this.#parts.recorder.trouble(`${this.name} was permanently disconnected: ${reason.toString()}`);
      if (socket === this.#socket) this.#lost();
    });
  }

  /** Drops the connection and reconnects soon. */
  #lost(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.terminate();
    this.#askedToWatch = false;
    this.#watching = false;
    this.#asking = false;
    this.#backingOff = false;
    this.#failures += 1;
    const ceiling = Math.min(RECONNECT_CAP_MS, RECONNECT_BASE_MS * 2 ** this.#failures);
    setTimeout(() => this.#connect(), this.#parts.random.between(0, ceiling));
  }

  #dropIfSilent(): void {
    const waits = !this.#watching || this.#asking || this.#outbox.length > 0;
    const silent = performance.now() - this.#receivedAt > SILENT_TOO_LONG_MS;
    if (this.#socket !== undefined && waits && silent) this.#lost();
  }

  #receive(frame: Down): void {
    const { recorder } = this.#parts;
    switch (frame.type) {
      case 'welcome':
        this.#watch();
        break;
      case 'watched':
        this.#failures = 0;
        this.#watching = true;
        this.#show(frame.conversation);
        this.#sendSeen();
        for (const message of frame.messages) this.#keep(message);
        this.#fill(frame.conversation.head);
        break;
      case 'message':
        recorder.received(frame.message.createdAt);
        this.#keep(frame.message);
        this.#fill(frame.message.seq);
        break;
      case 'messages':
        this.#asking = false;
        for (const message of frame.messages) this.#keep(message);
        this.#fill(frame.head);
        break;
      case 'conversation':
        this.#show(frame.conversation);
        break;
      case 'ack':
        this.#acked(frame);
        break;
      case 'refused':
        recorder.refused(this.name, frame.code);
        this.#refused(frame);
        break;
      default:
      // The other frames are not about messages.
    }
  }

  #show(view: Marks & { id: string; rev: number }): void {
    if (view.id !== this.conversation || view.rev < this.#view.rev) return;
    this.#view = view;
    this.#parts.recorder.marks(this, view);
  }

  #sendSeen(): void {
    const known = this.sender === 'visitor' ? this.#view.visitorSeen : this.#view.ownerSeen;
    if (this.#looked <= known) return;
    this.#parts.recorder.seen(this, this.#looked);
    this.#up({ type: 'seen', conversationId: this.conversation, seq: this.#looked });
  }

  #keep(message: Message): void {
    const known = this.#messages.get(message.seq);
    if (known !== undefined && known.id !== message.id) this.#displaced.push(known);
    this.#messages.set(message.seq, message);
    while (this.#messages.has(this.#last + 1)) this.#last += 1;
  }

  #fill(head: number): void {
    if (head <= this.#last || this.#asking || !this.#watching) return;
    this.#asking = true;
    this.#up({ type: 'range', conversationId: this.conversation, after: this.#last });
  }

  #acked(ack: Extract<Down, { type: 'ack' }>): void {
    this.#parts.recorder.acked(this, ack);
    const own = this.#outbox.find(({ id }) => id === ack.id);
    if (own === undefined) return;
    this.#outbox = this.#outbox.filter((message) => message !== own);
    const { conversation: conversationId, sender } = this;
    const { seq, createdAt } = ack;
    this.#keep({ conversationId, seq, id: own.id, sender, text: own.text, createdAt });
    this.#fill(seq);
    const { atOnce, later } = planRetries(this.#parts.random, this.#parts.retries);
    this.#retriesAhead += atOnce + later.length - 1;
    if (atOnce > 0) this.#retryIn(0, own);
    for (const ms of later) this.#retryIn(ms, own);
  }

  #retryIn(ms: number, message: { id: string; text: string }): void {
    setTimeout(() => {
      if (this.#stopped) return;
      if (!this.#watching) return this.#retryIn(200, message);
      this.#retriesAhead -= 1;
      this.#send(message);
    }, ms);
  }

  #refused({ code }: Extract<Down, { type: 'refused' }>): void {
    if (!isRetryable(code)) {
      this.#lost();
      return;
    }
    // Unanswered requests are sent again.
    this.#asking = false;
    if (this.#backingOff) return;
    this.#backingOff = true;
    const socket = this.#socket;
    setTimeout(
      () => {
        if (socket !== this.#socket) return;
        this.#backingOff = false;
        this.#watching = false;
        this.#watch();
      },
      this.#parts.random.between(20, 200),
    );
  }

  /** The unacknowledged messages, in the order of writing, do not wait for the answer. */
  #watch(): void {
    this.#askedToWatch = true;
    this.#up({ type: 'watch', conversationId: this.conversation, after: this.#last });
    for (const message of this.#outbox) this.#send(message);
  }

  #send(message: { id: string; text: string }): void {
    this.#sendOnce(message);
    if (this.#parts.random.chance(0.1 * this.#parts.retries)) this.#sendOnce(message);
  }

  #sendOnce({ id, text }: { id: string; text: string }): void {
    this.#parts.recorder.sendFrames += 1;
    this.#up({ type: 'send', conversationId: this.conversation, id, text });
  }

  #up(frame: Up): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }
}

import { type Down, VisitorDown } from '@settee/protocol/frames/down';
import { StaffDown } from '@settee/protocol/frames/staffDown';
import type { QueueRow } from '@settee/protocol/model/conversation';
import { WebSocket } from 'ws';
import { entriesOf } from '../../../web/src/chat/model/entries.ts';
import {
  type LiveConversation,
  startLiveConversation,
} from '../../../web/src/chat/model/liveConversation.ts';
import { memoryOutbox } from '../../../web/src/chat/outbox/outbox.ts';
import type { Clock } from '../../../web/src/net/clock.ts';
import { type Live, type Socket, startLive } from '../../../web/src/net/live.ts';
import { hashText, type Marks, type ReadMessage, type Sender } from '../checks/history.ts';
import type { Random } from '../random.ts';
import type { Connections } from './connections.ts';
import { shownQueue } from './reading.ts';
import type { Device, Recorder } from './recorder.ts';
import type { Browser } from './world.ts';
import { composeText, planRetries } from './writing.ts';

/** The chance that a message also goes to both gateways over HTTP. */
const RACE_CHANCE = 0.04;

type Parts = {
  name: string;
  conversations: string[];
  sender: Sender;
  token: string;
  /** Its cookies lead through a router, and get a new token when the server refuses the last one. */
  browser?: Browser;
  url: string;
  origin: string;
  gatewayPorts: number[];
  random: Random;
  recorder: Recorder;
  /** The share of messages that are also sent again when not needed. */
  retries: number;
  /** How much faster its clock runs. The product waits up to half a minute before it reconnects. */
  speed: number;
  connections: Connections;
};

/**
 * The product's client (socket, conversation model, outbox) without a browser: the page of a visitor with one
 * conversation, or a console with several.
 */
export function openPage(parts: Parts): PageDevice[] {
  const { name, token, browser, url, origin, random, speed, connections } = parts;
  const devices = new Map<string, PageDevice>();
  let up = false;
  let line: WebSocket | undefined;
  let queue: readonly QueueRow[] = [];
  const clock = clockAt(speed);
  const live: Live = startLive({
    frames: parts.sender === 'owner' ? StaffDown : VisitorDown,
    openSocket() {
      const socket = new WebSocket(url, {
        origin,
        perMessageDeflate: false,
        ...(browser && { headers: { cookie: browser.cookie } }),
      });
      line = socket;
      socket.addEventListener('close', ({ code }) => {
        if (up && live.status() !== 'ended') connections.lost(name, code);
        up = false;
      });
      return listeningSocket(socket, devices);
    },
    clock,
    random: () => chanceAt(speed, random),
    async token(fresh) {
      if (browser !== undefined && fresh) await signInAgain(browser, parts.sender);
      return { idToken: browser?.token ?? token, expiresAt: Date.now() + 3_600_000 };
    },
  });
  const look = (): void => {
    const all = [...devices.values()];
    for (const device of all) if (device.hasFailed()) connections.failed(name, device.describe());
    if (up || live.status() !== 'open' || !all.every((device) => device.isCaughtUp())) return;
    up = true;
    connections.back(name);
  };
  live.onFrame((frame) => {
    handleFrame(parts, devices, frame);
    queue = shownQueue(queue, frame);
  });
  for (const conversation of parts.conversations) {
    devices.set(
      conversation,
      new PageDevice(parts, {
        conversation,
        live,
        clock,
        drop: () => line?.terminate(),
        queue: () => queue,
      }),
    );
  }
  live.onStatus(() => {
    if (live.endReason() !== undefined) connections.failed(name, `disconnected: ${live.endReason()}`);
    // A console also watches its queue.
    if (parts.sender === 'owner' && live.status() === 'open') live.send({ type: 'watchQueue' });
  });
  live.onFrame((frame) => {
    connections.received(name, frame);
    look();
  });
  return [...devices.values()];
}

export function signInAgain(browser: Browser, sender: Sender): Promise<object> {
  return sender === 'owner' ? browser.call('/auth/staff/refresh', {}) : browser.call('/auth/anonymous');
}

function clockAt(speed: number): Clock {
  return {
    now: () => Date.now(),
    setTimeout: (callback, ms) => setTimeout(callback, ms / speed),
    clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
  };
}

/** A fast clock also needs short random delays. */
function chanceAt(speed: number, random: Random): number {
  return Math.min(1, random.next() / speed);
}

function handleFrame({ name, recorder }: Parts, devices: Map<string, PageDevice>, frame: Down): void {
  const shown = (messages: readonly { conversationId: string; id: string }[]): void => {
    for (const { conversationId, id } of messages) {
      const device = devices.get(conversationId);
      if (device !== undefined) recorder.shown(device, id);
    }
  };
  if (frame.type === 'ack') {
    const device = devices.get(frame.conversationId);
    if (device !== undefined) recorder.acked(device, frame);
  } else if (frame.type === 'message') {
    recorder.received(frame.message.createdAt);
    shown([frame.message]);
  } else if (frame.type === 'messages' || frame.type === 'watched') {
    shown(frame.messages);
  } else if (frame.type === 'refused') {
    recorder.refused(name, frame.code);
  }
}

/** The product's socket, which also reports what it sends. */
function listeningSocket(socket: WebSocket, devices: Map<string, PageDevice>): Socket {
  return {
    send(data) {
      socket.send(data);
      if (data.startsWith('{"type":"seen"')) {
        const seen = JSON.parse(data) as { conversationId: string; seq: number };
        devices.get(seen.conversationId)?.sentSeen(seen.seq);
      }
      if (!data.startsWith('{"type":"send"')) return;
      const sent = JSON.parse(data) as { conversationId: string; id: string; text: string };
      devices.get(sent.conversationId)?.sent(sent, () => {
        if (socket.readyState === WebSocket.OPEN) socket.send(data);
      });
    },
    close: () => socket.close(),
    addEventListener: (type: string, listener: (event: never) => void) =>
      socket.addEventListener(type as 'message', listener as () => void),
  };
}

export class PageDevice implements Device {
  readonly name: string;
  readonly conversation: string;
  readonly sender: Sender;
  readonly #parts: Parts;
  readonly #live: Live;
  readonly #shown: LiveConversation;
  /** Breaks the connection, like a phone in a lift. */
  readonly dropConnection: () => void;
  readonly queue?: () => readonly QueueRow[];
  readonly #planned = new Set<string>();
  #retriesAhead = 0;
  #written = 0;
  #reported = 0;
  #stopped = false;

  constructor(
    parts: Parts,
    rest: {
      conversation: string;
      live: Live;
      clock: Clock;
      drop: () => void;
      queue: () => readonly QueueRow[];
    },
  ) {
    const { conversation, live, clock } = rest;
    this.dropConnection = rest.drop;
    if (parts.sender === 'owner') this.queue = rest.queue;
    this.name = parts.name;
    this.conversation = conversation;
    this.sender = parts.sender;
    this.#parts = parts;
    this.#live = live;
    this.#shown = startLiveConversation({
      id: conversation,
      me: parts.sender,
      live,
      outbox: memoryOutbox(),
      clock,
      random: () => chanceAt(parts.speed, parts.random),
      createId: () => parts.random.uuid(),
    });
    this.#shown.subscribe(() => parts.recorder.marks(this, this.marks()));
  }

  write(): void {
    const text = composeText(this.#parts.random, this.name, this.#written);
    this.#written += 1;
    void this.#shown.send(text);
    // The model created the id. Its newest bubble has it.
    const bubble = this.#shown.state().pending.at(-1);
    if (bubble?.text !== text) throw new Error(`${this.name} does not show the text that was written`);
    this.#parts.recorder.attempted(this, bubble.id, text);
    this.#retriesAhead += 1;
  }

  /** The product sends each message once per connection. This sends it again, needed or not. */
  sent(message: { id: string; text: string }, again: () => void): void {
    const { random, recorder } = this.#parts;
    recorder.sendFrames += 1;
    if (random.chance(RACE_CHANCE) && this.#isNext(message.id)) void this.#race(message);
    if (this.#planned.has(message.id)) return;
    this.#planned.add(message.id);
    const { atOnce, later } = planRetries(random, this.#parts.retries);
    this.#retriesAhead += later.length - 1;
    for (let copy = 0; copy < atOnce; copy += 1) {
      recorder.sendFrames += 1;
      again();
    }
    for (const ms of later) this.#retryIn(ms, message);
  }

  #retryIn(ms: number, message: { id: string; text: string }): void {
    setTimeout(() => {
      if (this.#stopped) return;
      const { watch } = this.#shown.state();
      // Before the ack only the product may send it again, because it knows the order.
      if (this.#live.status() !== 'open' || watch !== 'done' || this.#isUnacked(message.id)) {
        return this.#retryIn(200, message);
      }
      this.#retriesAhead -= 1;
      this.#parts.recorder.sendFrames += 1;
      const { id, text } = message;
      this.#live.send({ type: 'send', conversationId: this.conversation, id, text });
    }, ms);
  }

  /**
   * Sends the message over HTTP to every gateway at the same time. This cannot change the order, because all earlier
   * messages are stored.
   */
  async #race({ id, text }: { id: string; text: string }): Promise<void> {
    const { token, gatewayPorts, recorder } = this.#parts;
    const post = async (port: number): Promise<void> => {
      const response = await fetch(`http://127.0.0.1:${port}/conversations/${this.conversation}/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ id, text }),
        signal: AbortSignal.timeout(5_000),
      });
      const answer = (await response.json()) as { success: boolean; seq: number; createdAt: number };
      if (answer.success) recorder.acked(this, { id, seq: answer.seq, createdAt: answer.createdAt });
    };
    // Without an answer, the copy on the socket decides.
    await Promise.allSettled(gatewayPorts.map(post));
  }

  look(): void {
    this.#shown.looked(this.lastSeq());
  }

  /** The page reports what its reader has seen. */
  sentSeen(seq: number): void {
    this.#reported = seq;
    this.#parts.recorder.seen(this, seq);
  }

  reported(): number {
    return this.#reported;
  }

  marks(): Marks {
    const { visitorSeen = 0, ownerSeen = 0 } = this.#shown.state().view ?? {};
    return { visitorSeen, ownerSeen };
  }

  #isUnacked(id: string): boolean {
    return this.#shown.state().pending.some((bubble) => bubble.id === id && bubble.state !== 'acked');
  }

  #isNext(id: string): boolean {
    return this.#shown.state().pending.find(({ state }) => state !== 'acked')?.id === id;
  }

  hasLoaded(): boolean {
    return this.#shown.state().loaded;
  }

  isCaughtUp(): boolean {
    const { line, watch, asking, head } = this.#shown.state();
    return line === 'up' && watch === 'done' && !asking && this.lastSeq() >= head;
  }

  hasFailed(): boolean {
    return this.#shown.state().pending.some(({ state }) => state === 'refused');
  }

  unacked(): number {
    return this.#shown.state().pending.length;
  }

  isIdle(): boolean {
    return this.unacked() === 0 && this.#retriesAhead === 0;
  }

  lastSeq(): number {
    return this.#shown.state().log.messages.at(-1)?.seq ?? 0;
  }

  /** The bubbles on the screen. */
  read(): ReadMessage[] {
    return entriesOf(this.#shown.state()).map((entry) => [
      entry.seq ?? 0,
      entry.key,
      entry.sender,
      hashText(entry.text),
      entry.at,
    ]);
  }

  describe(): string {
    const { watch, held, pending } = this.#shown.state();
    const states = pending.map(({ state }) => state).join(' ');
    return `${this.name} of ${this.conversation}: line ${this.#live.status()}, watch ${watch}${held ? ', held' : ''}, pending [${states}], ${this.#retriesAhead} retries ahead, read up to ${this.lastSeq()}`;
  }

  stop(): void {
    this.#stopped = true;
    this.#shown.stop();
    this.#live.stop();
  }
}

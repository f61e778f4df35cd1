import { randomUUID } from 'node:crypto';
import { visitorCalls } from '@settee/protocol/calls/visitorCalls';
import { VisitorDown } from '@settee/protocol/frames/down';
import { StaffDown } from '@settee/protocol/frames/staffDown';
import { WebSocket } from 'ws';
import { entriesOf } from '../../../web/src/chat/model/entries.ts';
import {
  type LiveConversation,
  startLiveConversation,
} from '../../../web/src/chat/model/liveConversation.ts';
import { olderLoader } from '../../../web/src/chat/model/loadOlder.ts';
import type { Outbox } from '../../../web/src/chat/outbox/outbox.ts';
import { createApi } from '../../../web/src/net/api.ts';
import type { Clock } from '../../../web/src/net/clock.ts';
import { type IdToken, type Live, type Socket, startLive } from '../../../web/src/net/live.ts';
import { tokenHolder } from '../../../web/src/net/tokens.ts';
import { hashText, type ReadMessage, type Sender } from '../checks/history.ts';

type Parts = {
  name: string;
  sender: Sender;
  conversationIds: string[];
  port: number;
  origin: string;
  clock: SleepingClock;
  outbox: Outbox;
  signIn: () => Promise<IdToken>;
  /** Whether the page does not notice that its connection ends while it sleeps. */
  isCutOff: boolean;
};

/** The product's client without a browser: a visitor's page with one conversation, or a console with several. */
export class SleepingPage {
  readonly name: string;
  readonly live: Live;
  readonly conversations: LiveConversation[];
  readonly #parts: Parts;
  readonly #tokens;
  #wakeUp = (): void => {};
  #isAsleep = false;

  constructor(parts: Parts) {
    const { clock, sender, outbox } = parts;
    this.#parts = parts;
    this.name = parts.name;
    this.#tokens = tokenHolder(clock, parts.signIn);
    this.live = startLive({
      frames: sender === 'owner' ? StaffDown : VisitorDown,
      openSocket: () => this.#open(),
      clock,
      random: Math.random,
      token: (fresh) => (fresh ? this.#tokens.renew() : this.#tokens.get()),
      onDoubt: ({ wake }) => {
        this.#wakeUp = wake;
        return () => {};
      },
    });
    this.conversations = parts.conversationIds.map((id) =>
      startLiveConversation({
        id,
        me: sender,
        live: this.live,
        outbox,
        clock,
        random: Math.random,
        createId: randomUUID,
      }),
    );
  }

  #open(): Socket {
    const { port, origin, isCutOff } = this.#parts;
    const socket = new WebSocket(`ws://127.0.0.1:${port}/live`, { origin, perMessageDeflate: false });
    return {
      send: (data) => socket.readyState === WebSocket.OPEN && socket.send(data),
      close: () => socket.close(),
      addEventListener: (type: string, listener: (event: never) => void) =>
        socket.addEventListener(type as 'close', (event) => {
          if (!(isCutOff && this.#isAsleep)) listener(event as never);
        }),
    };
  }

  sleep(): void {
    this.#isAsleep = true;
    this.#parts.clock.sleep();
  }

  wake(): void {
    this.#isAsleep = false;
    this.#parts.clock.wake();
    this.#wakeUp();
  }

  isCaughtUp(): boolean {
    return this.conversations.every((conversation) => {
      const { line, watch, asking, head, log, pending } = conversation.state();
      const last = log.messages.at(-1)?.seq ?? 0;
      return line === 'up' && watch === 'done' && !asking && last >= head && pending.length === 0;
    });
  }

  /** Whether it shows these newest messages, by conversation. */
  hasUpTo(heads: ReadonlyMap<string, number>): boolean {
    return this.conversations.every((conversation) => {
      const { id, log } = conversation.state();
      return (log.messages.at(-1)?.seq ?? 0) >= (heads.get(id) ?? Number.POSITIVE_INFINITY);
    });
  }

  /** Like a person who scrolls to the first message. */
  async readBack(): Promise<void> {
    const { port } = this.#parts;
    const api = createApi(
      { readMessages: visitorCalls.readMessages },
      { tokens: this.#tokens, origin: `http://127.0.0.1:${port}` },
    );
    for (const conversation of this.conversations) {
      const loadOlder = olderLoader(api, conversation);
      while (await loadOlder());
    }
  }

  /** The bubbles on the screen. */
  read(conversation: LiveConversation): ReadMessage[] {
    return entriesOf(conversation.state()).map(({ seq, key, sender, text, at }) => [
      seq ?? 0,
      key,
      sender,
      hashText(text),
      at,
    ]);
  }

  write(): void {
    for (const conversation of this.conversations) void conversation.send(`Written by ${this.name}`);
  }

  describe(): string {
    const states = this.conversations.map((conversation) => {
      const { watch, head, log, pending, gone } = conversation.state();
      return `watch ${watch}${gone ? ', gone' : ''}, ${log.messages.at(-1)?.seq} of ${head}, ${pending.length} unsent`;
    });
    return `line ${this.live.status()} ${this.live.endReason() ?? ''}; ${states.join('; ')}`;
  }

  close(): void {
    for (const conversation of this.conversations) conversation.stop();
    this.live.stop();
  }
}

type Timer = { due: number; run: () => void; handle: NodeJS.Timeout | undefined };

/** The clock of a page whose machine can sleep: no timer fires meanwhile, and afterwards it is later at once. */
export class SleepingClock implements Clock {
  #behindMs: number;
  #asleepAt: number | undefined;
  readonly #timers = new Set<Timer>();

  /** `behindMs`: how long the sleep will last. */
  constructor(behindMs: number) {
    this.#behindMs = behindMs;
  }

  now(): number {
    return this.#asleepAt ?? Date.now() - this.#behindMs;
  }

  setTimeout(run: () => void, ms: number): Timer {
    const timer: Timer = { due: this.now() + ms, run, handle: undefined };
    this.#timers.add(timer);
    this.#start(timer);
    return timer;
  }

  clearTimeout(timer: unknown): void {
    clearTimeout((timer as Timer | undefined)?.handle);
    this.#timers.delete(timer as Timer);
  }

  sleep(): void {
    this.#asleepAt = this.now();
    for (const { handle } of this.#timers) clearTimeout(handle);
  }

  wake(): void {
    this.#asleepAt = undefined;
    this.#behindMs = 0;
    for (const timer of [...this.#timers].sort((a, b) => a.due - b.due)) this.#start(timer);
  }

  #start(timer: Timer): void {
    if (this.#asleepAt !== undefined) return;
    const run = (): void => {
      this.#timers.delete(timer);
      timer.run();
    };
    timer.handle = setTimeout(run, Math.max(0, timer.due - this.now()));
  }
}

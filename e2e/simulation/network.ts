import type { Bus } from '../../server/testing/simulation.ts';
import type { Random } from '../proof/random.ts';
import { type Owner, scheduler } from './time.ts';

/** The close code that a browser reports when a connection breaks. */
const BROKEN = 1006;
/** The close code of a page that goes away. */
const LEFT = 1001;

/** The server's end of a connection: what the WebSocket of `replaced/packages.ts` implements. */
export type ServerEnd = {
  /** A frame arrived. */
  receive(data: string): void;
  /** The client, or the network, closed the connection. */
  closed(code: number): void;
};

/** The client's end of a connection: a WebSocket of a browser. */
type Listeners = {
  open: () => void;
  message: (event: { data: unknown }) => void;
  close: (event: { code: number; reason: string }) => void;
  error: () => void;
};

export type Delays = {
  /** The time that a frame takes. */
  frame(): number;
};

/**
 * One TCP connection with a WebSocket on it. Frames of one direction arrive in order, each as a separate event. A
 * network cannot lose a frame of it and keep the rest: the connection breaks, or stalls without a sign.
 */
export class Link {
  readonly page: Owner;
  readonly gateway: Owner;
  readonly #delays: Delays;
  /** A stalled connection delivers nothing and tells nobody. */
  #stalled = false;
  #up = true;
  #down = true;
  #lastUp = 0;
  #lastDown = 0;
  server: ServerEnd | undefined;
  /** Bytes that the server got. It compares them at each ping. */
  bytesRead = 0;
  readonly #client: Partial<Listeners> = {};
  /** The gateway sends a frame. Returns what the page gets. */
  onSend: (data: string) => string = (data) => data;
  /** A frame reached the gateway. Returns an answer instead of passing it on. */
  onReceive: (data: string) => string | undefined = () => undefined;
  /** A frame reached the page. */
  onFrame: () => void = () => {};
  onClose: () => void = () => {};

  constructor(page: Owner, gateway: Owner, delays: Delays) {
    this.page = page;
    this.gateway = gateway;
    this.#delays = delays;
  }

  isStalled(): boolean {
    return this.#stalled;
  }

  /** Whether the server holds the socket open, also if the page has gone without a sign. */
  isOpenAtServer(): boolean {
    return this.#down && !this.gateway.dead;
  }

  /** The object that the page uses. */
  clientSocket() {
    return {
      send: (data: string) => this.toServer(data),
      close: () => this.leave(),
      addEventListener: <T extends keyof Listeners>(type: T, listener: Listeners[T]) => {
        this.#client[type] = listener;
      },
    };
  }

  opened(): void {
    this.#toPage(() => this.#client.open?.());
  }

  toServer(data: string): void {
    if (!this.#up) return;
    this.#toGateway(() => {
      this.bytesRead += data.length;
      const answer = this.onReceive(data);
      if (answer === undefined) this.server?.receive(data);
      else this.toClient(answer);
    });
  }

  toClient(data: string): void {
    if (!this.#down) return;
    const sent = this.onSend(data);
    this.#toPage(() => {
      this.onFrame();
      this.#client.message?.({ data: sent });
    });
  }

  /** The server closes: the client gets everything before it, then the code, and answers. */
  closeByServer(code: number, reason: string): void {
    if (!this.#down) return;
    this.#down = false;
    this.#toPage(() => {
      this.#closePage(code, reason);
      this.#toGateway(() => this.#closeServer(code));
    });
  }

  /** The page closes the socket, or goes away. */
  leave(): void {
    if (!this.#up) return;
    this.#up = false;
    this.onClose();
    this.#toGateway(() => this.#closeServer(LEFT));
  }

  /** Both ends notice at different times. */
  reset(): void {
    if (this.#stalled) return;
    this.#stalled = true;
    scheduler.after(this.#delays.frame(), () => this.#closePage(BROKEN, ''), this.page);
    scheduler.after(this.#delays.frame(), () => this.#closeServer(BROKEN), this.gateway);
  }

  stall(): void {
    this.#stalled = true;
  }

  /** The server ends the connection without a handshake. */
  terminate(): void {
    this.#down = false;
    this.#toPage(() => this.#closePage(BROKEN, ''));
    this.#up = false;
    scheduler.after(0, () => this.#closeServer(BROKEN), this.gateway);
  }

  #closePage(code: number, reason: string): void {
    this.#up = false;
    this.onClose();
    const { close } = this.#client;
    this.#client.close = () => {};
    close?.({ code, reason });
  }

  #closeServer(code: number): void {
    this.#down = false;
    const { server } = this;
    this.server = undefined;
    server?.closed(code);
  }

  #toPage(run: () => void): void {
    this.#lastDown = Math.max(this.#lastDown, scheduler.now + this.#delays.frame());
    this.#later(this.#lastDown, this.page, run);
  }

  #toGateway(run: () => void): void {
    this.#lastUp = Math.max(this.#lastUp, scheduler.now + this.#delays.frame());
    this.#later(this.#lastUp, this.gateway, run);
  }

  #later(at: number, owner: Owner, run: () => void): void {
    const arrive = (): void => {
      if (!this.#stalled) run();
    };
    scheduler.after(at - scheduler.now, arrive, owner);
  }
}

type Listener = { pattern: string[]; receive: (subject: string, payload: Uint8Array) => void };

type Member = {
  owner: Owner;
  listeners: Set<Listener>;
  gaps: (() => void)[];
  connected: boolean;
  /** When the last hint of each subject arrives: NATS keeps the order of one sender's subject. */
  arrivals: Map<string, number>;
};

export type HintFaults = {
  /** The share of hints that get lost. */
  lost: number;
  /** The longest delay of a hint, in milliseconds. */
  delay: number;
};

/** The bus between the gateways. Hints are late, lost, or in another order than hints of other subjects. */
export class SimulatedBus {
  readonly #members = new Set<Member>();
  readonly #random: Random;
  readonly faults: HintFaults;

  constructor(random: Random, faults: HintFaults) {
    this.#random = random;
    this.faults = faults;
  }

  connect(owner: Owner): Bus {
    const own: Member = { owner, listeners: new Set(), gaps: [], connected: true, arrivals: new Map() };
    this.#members.add(own);
    return {
      subscribe(pattern, receive) {
        const listener = { pattern: pattern.split('.'), receive };
        own.listeners.add(listener);
        return { unsubscribe: () => void own.listeners.delete(listener) };
      },
      publish: (subject, payload) => this.#publish(own, subject, payload.slice()),
      ready: () =>
        new Promise((resolve) => {
          scheduler.after(own.connected ? this.#random.between(0.1, 5) : 0, resolve, owner);
        }),
      onGap: (listener) => void own.gaps.push(listener),
      isConnected: () => own.connected,
      close: async () => void this.#members.delete(own),
    };
  }

  /** Separates a gateway from the bus for some time. */
  separate(owner: Owner, ms: number): void {
    for (const member of this.#members) {
      if (member.owner !== owner || !member.connected) continue;
      member.connected = false;
      scheduler.after(ms, () => this.#reconnect(member), owner);
    }
  }

  heal(): void {
    this.faults.lost = 0;
    for (const member of this.#members) {
      if (!member.connected) scheduler.after(0, () => this.#reconnect(member), member.owner);
    }
  }

  #reconnect(member: Member): void {
    if (member.connected) return;
    member.connected = true;
    for (const listener of member.gaps) listener();
  }

  #publish(from: Member, subject: string, payload: Uint8Array): void {
    if (!from.connected) return;
    const parts = subject.split('.');
    for (const to of this.#members) {
      if (to === from || to.owner.dead || !to.connected || this.#random.chance(this.faults.lost)) continue;
      const key = `${from.owner.name} ${subject}`;
      const at = Math.max(
        to.arrivals.get(key) ?? 0,
        scheduler.now + this.#random.between(0.1, this.faults.delay),
      );
      to.arrivals.set(key, at);
      const arrive = (): void => {
        if (!to.connected) return;
        for (const { pattern, receive } of [...to.listeners]) {
          if (matches(pattern, parts)) receive(subject, payload);
        }
      };
      scheduler.after(at - scheduler.now, arrive, to.owner);
    }
  }
}

function matches(pattern: readonly string[], parts: readonly string[]): boolean {
  return parts.length === pattern.length && pattern.every((part, at) => part === '*' || part === parts[at]);
}

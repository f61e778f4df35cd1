import { type Owner, scheduler } from './time.ts';

/** The close code that a browser reports when a connection breaks. */
const BROKEN = 1006;
/** The close code of a page that goes away. */
const LEFT = 1001;

/** The server's end of a connection: what `replaced/ws.ts` implements. */
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

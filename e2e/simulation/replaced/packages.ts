import type { Link, ServerEnd } from '../network.ts';
import { scheduler } from '../time.ts';

/** `node:timers/promises` on the virtual clock. */
export function setTimeout(ms: number): Promise<void> {
  return new Promise((resolve) => void scheduler.after(ms, resolve));
}

type Claims = Record<string, unknown> & { exp?: number };

/** `jose` without a signature: nobody forges a token here, and nothing waits for the thread pool. */
export class SignJWT {
  readonly #claims: Claims;

  constructor(claims: Claims) {
    this.#claims = { ...claims };
  }

  setProtectedHeader = (): this => this;
  setIssuer = (): this => this;
  setAudience = (): this => this;
  setIssuedAt = (): this => this;
  setSubject(sub: string): this {
    return this.#with({ sub });
  }
  setExpirationTime(exp: number): this {
    return this.#with({ exp });
  }
  async sign(): Promise<string> {
    return JSON.stringify(this.#claims);
  }

  #with(claims: Claims): this {
    Object.assign(this.#claims, claims);
    return this;
  }
}

export async function jwtVerify(
  token: string,
  _key: unknown,
  { currentDate }: { currentDate: Date },
): Promise<{ payload: Claims }> {
  const payload = JSON.parse(token) as Claims;
  if ((payload.exp ?? 0) * 1_000 <= currentDate.getTime()) throw new Error('expired');
  return { payload };
}

const CONNECTING = 0;
const OPEN = 1;
const CLOSING = 2;
const CLOSED = 3;

/** How long the real one waits for the client's answer to a close. */
const CLOSE_TIMEOUT_MS = 5_000;

/** The part of `ws` that the gateway uses, over a simulated connection. The real one over streams takes twice as long. */
export class WebSocket implements ServerEnd {
  static readonly CONNECTING = CONNECTING;
  static readonly OPEN = OPEN;
  static readonly CLOSING = CLOSING;
  static readonly CLOSED = CLOSED;
  readyState = OPEN;
  isPaused = false;
  readonly bufferedAmount = 0;
  /** The gateway frees what the real one keeps in it. */
  readonly _receiver = {};
  #link: Link | undefined;
  #unread: string[] = [];

  connect(link: Link): void {
    this.#link = link;
    link.server = this;
  }

  /** The gateway overrides it. */
  emit(_event: string, ..._values: unknown[]): boolean {
    return true;
  }

  receive(data: string): void {
    if (this.isPaused) this.#unread.push(data);
    else if (this.readyState !== CLOSED) this.emit('message', data);
  }

  send(frame: Buffer): void {
    this.#link?.toClient(frame.toString());
  }

  closed(code: number): void {
    if (this.readyState === CLOSED) return;
    this.readyState = CLOSED;
    this.emit('close', code);
  }

  close(code: number, reason: string): void {
    if (this.readyState !== OPEN) return;
    this.readyState = CLOSING;
    this.#link?.closeByServer(code, reason);
    scheduler.after(CLOSE_TIMEOUT_MS, () => this.terminate());
  }

  terminate(): void {
    if (this.readyState === CLOSED) return;
    this.readyState = CLOSING;
    this.#link?.terminate();
  }

  /** The browser answers by itself. */
  ping(): void {
    if (this.#link && !this.#link.isStalled()) this.#link.bytesRead += 1;
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
    for (let data = this.#unread.shift(); data !== undefined; data = this.#unread.shift()) {
      this.emit('message', data);
      if (this.isPaused) return;
    }
  }
}

type Stream = { link: Link };

export class WebSocketServer {
  readonly #options: { WebSocket: typeof WebSocket };

  constructor(options: { WebSocket: typeof WebSocket }) {
    this.#options = options;
  }

  handleUpgrade(
    _request: unknown,
    { link }: Stream,
    _head: unknown,
    accept: (socket: WebSocket) => void,
  ): void {
    const socket = new this.#options.WebSocket();
    socket.connect(link);
    accept(socket);
    link.opened();
  }
}

/** The stream of an upgraded request. */
export function serverStream(link: Link) {
  return {
    link,
    readableLength: 0,
    get bytesRead(): number {
      return link.bytesRead;
    },
    cork: () => {},
    uncork: () => {},
    /** A refused upgrade. */
    end: () => link.terminate(),
    on: () => {},
    off: () => {},
    destroy: () => link.terminate(),
  };
}

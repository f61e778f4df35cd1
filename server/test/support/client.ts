import type { Down } from '@settee/protocol/frames/down';
import type { Up } from '@settee/protocol/frames/up';
import { PROTOCOL_VERSION } from '@settee/protocol/frames/version';
import { WebSocket } from 'ws';

/** Enough time for a frame that comes at once, also on a busy machine. */
const PATIENCE_MS = 30_000;

type Frame<T extends Down['type']> = Extract<Down, { type: T }>;

/** A bare protocol socket: sends frames and keeps those that it receives. */
export class LiveClient {
  readonly received: Down[] = [];
  closed: { code: number; reason: string } | undefined;
  readonly #socket: WebSocket;
  readonly #wakeups = new Set<() => void>();

  constructor(
    url: string,
    origin: string | undefined,
    options: { ca?: string | undefined; autoPong?: boolean } = {},
  ) {
    const own = origin === undefined ? options : { origin, ...options };
    this.#socket = new WebSocket(`${url.replace('http', 'ws')}/live`, own);
    this.#socket.on('message', (data: Buffer) => {
      this.received.push(JSON.parse(data.toString()) as Down);
      this.#wake();
    });
    this.#socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) };
      this.#wake();
    });
    this.#socket.on('error', () => {});
  }

  static async open(...asked: Parameters<typeof LiveClient.hello>): Promise<LiveClient> {
    const client = await LiveClient.hello(...asked);
    await client.next('welcome');
    return client;
  }

  /** Does not wait for the welcome. */
  static async hello(
    url: string,
    origin: string,
    token: string,
    { pinged = () => {}, ...options }: { pinged?: () => void; ca?: string; autoPong?: boolean } = {},
  ): Promise<LiveClient> {
    const client = new LiveClient(url, origin, options);
    client.#socket.on('ping', pinged);
    await client.opened();
    client.send({ type: 'hello', version: PROTOCOL_VERSION, token });
    return client;
  }

  opened(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.once('open', () => resolve());
      this.#socket.once('error', reject);
    });
  }

  send(frame: Up): void {
    this.#socket.send(JSON.stringify(frame));
  }

  sendRaw(text: string): void {
    this.#socket.send(text);
  }

  /** Removes and returns the first received frame of this type that matches, and waits for it if needed. */
  async next<T extends Down['type']>(
    type: T,
    fits: (frame: Frame<T>) => boolean = () => true,
    ms = PATIENCE_MS,
  ): Promise<Frame<T>> {
    const find = (): number =>
      this.received.findIndex((frame) => frame.type === type && fits(frame as Frame<T>));
    await this.until(() => find() >= 0, `no ${type}`, ms);
    return this.received.splice(find(), 1)[0] as Frame<T>;
  }

  async until(holds: () => boolean, otherwise: string, ms = PATIENCE_MS): Promise<void> {
    const deadline = Date.now() + ms;
    while (!holds()) {
      if (Date.now() > deadline)
        throw new Error(`${otherwise}; received ${this.received.map((frame) => frame.type).join(' ')}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 50);
        this.#wakeups.add(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  close(): void {
    this.#socket.close();
  }

  #wake(): void {
    for (const wake of this.#wakeups) wake();
    this.#wakeups.clear();
  }
}

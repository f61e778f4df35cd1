import { randomUUID } from 'node:crypto';
import type { Down } from '@settee/protocol/frames/down';
import type { Up } from '@settee/protocol/frames/up';
import { PROTOCOL_VERSION } from '@settee/protocol/frames/version';
import { clientFrame, Wire } from '../../bench/src/wire.ts';

const ACK_MS = 30_000;

/** Somebody of the cast: cookies and a token as a browser has them, and the product's own calls. */
export class Person {
  readonly #url: string;
  readonly #cookies = new Map<string, string>();
  token = '';

  constructor(url: string) {
    this.#url = url;
  }

  async call(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    const response = await fetch(this.#url + path, {
      method,
      headers: {
        origin: this.#url,
        cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(this.token !== '' && { authorization: `Bearer ${this.token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s);
      this.#cookies.set(name, value);
    }
    const answer = (await response.json()) as Record<string, unknown>;
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
    if (typeof answer.idToken === 'string') this.token = answer.idToken;
    return answer;
  }

  /** An open line, greeted by the server. */
  open(heard: (frame: Down) => void): Promise<Line> {
    return Line.open(this.#url, this.token, heard);
  }
}

export class Line {
  readonly #wire: Wire;
  readonly #waiting = new Map<string, (stored: boolean) => void>();
  isOpen = true;

  private constructor(wire: Wire) {
    this.#wire = wire;
  }

  static async open(url: string, token: string, heard: (frame: Down) => void): Promise<Line> {
    const wire = await Wire.open(Number(new URL(url).port), url);
    const line = new Line(wire);
    const { promise: welcome, resolve, reject } = Promise.withResolvers<void>();
    wire.onClose = () => {
      line.isOpen = false;
      for (const settle of line.#waiting.values()) settle(false);
      reject(new Error('the line was closed'));
    };
    wire.onFrame = (payload) => {
      const frame = JSON.parse(payload.toString()) as Down;
      if (frame.type === 'welcome') resolve();
      if (frame.type === 'ack') line.#waiting.get(frame.id)?.(true);
      if (frame.type === 'refused' && frame.id !== undefined) line.#waiting.get(frame.id)?.(false);
      heard(frame);
    };
    line.say({ type: 'hello', version: PROTOCOL_VERSION, token });
    await welcome;
    return line;
  }

  say(frame: Up): void {
    if (this.isOpen) this.#wire.write(clientFrame(JSON.stringify(frame)));
  }

  /** The id that it is stored under, or undefined when the server did not acknowledge it. */
  async write(conversationId: string, text: string, after?: number): Promise<string | undefined> {
    const id = randomUUID();
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const late = setTimeout(() => resolve(false), ACK_MS);
    this.#waiting.set(id, resolve);
    this.say({ type: 'send', conversationId, id, text, ...(after !== undefined && { after }) });
    const stored = this.isOpen && (await promise);
    clearTimeout(late);
    this.#waiting.delete(id);
    return stored ? id : undefined;
  }

  close(): void {
    this.#wire.close();
  }
}

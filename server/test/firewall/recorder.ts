import { WebSocket } from 'ws';
import type { TestServer } from '../harness.ts';

/** Everything that a person received, and where. */
export class Recorder {
  readonly seen: { where: string; content: string | Uint8Array }[] = [];
  /** The types of the received frames. */
  readonly frames = new Set<string>();

  saw(where: string, content: string | Uint8Array): void {
    this.seen.push({ where, content });
  }

  /** The same server, with a recording of every response: status, headers, cookies and body. */
  listening(server: TestServer): TestServer {
    return {
      ...server,
      request: async (method, path, options) => {
        const reply = await server.request(method, path, options);
        const body = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
        this.saw(`${method} ${path} ${reply.status}`, body ?? '');
        this.saw(`headers of ${method} ${path} ${reply.status}`, headersOf(reply.headers));
        return reply;
      },
    };
  }

  /** Reads and records the bytes and headers of an address. */
  async fetched(where: string, url: string): Promise<Buffer> {
    const response = await fetch(url);
    const bytes = Buffer.from(await response.arrayBuffer());
    this.saw(where, bytes);
    this.saw(`headers of ${where}`, headersOf(response.headers));
    return bytes;
  }

  /** A socket that records everything, from the upgrade response to the close reason. */
  async tap(server: TestServer, token: string, version: number): Promise<Tap> {
    const url = `${server.url.replace('http', 'ws')}/live`;
    const socket = new WebSocket(url, { origin: server.app.config.publicUrl });
    const received: { type: string }[] = [];
    socket.on('upgrade', (response) =>
      this.saw('headers of the upgrade', JSON.stringify(response.rawHeaders)),
    );
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as { type: string };
      received.push(frame);
      this.frames.add(frame.type);
      this.saw(`frame ${frame.type}`, data);
    });
    socket.on('close', (code, reason) => this.saw(`close ${code}`, reason));
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    const send = (frame: object): void => socket.send(JSON.stringify(frame));
    send({ type: 'hello', version, token });
    return { send, received, close: () => socket.close() };
  }
}

export type Tap = { send(frame: object): void; received: { type: string }[]; close(): void };

function headersOf(headers: Headers): string {
  return [...headers].map(([name, value]) => `${name}: ${value}`).join('\n');
}

import { WebSocket } from 'ws';
import type { TestServer } from '../harness.ts';

/** All that somebody was given, and where. */
export class Recorder {
  readonly seen: { where: string; content: string | Uint8Array }[] = [];
  /** Types of frames that came. */
  readonly frames = new Set<string>();

  saw(where: string, content: string | Uint8Array): void {
    this.seen.push({ where, content });
  }

  /** The same server, to somebody whose answers are noted: status, headers, cookies and bodies. */
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

  /** Bytes behind an address, with their headers. */
  async fetched(where: string, url: string): Promise<Buffer> {
    const response = await fetch(url);
    const bytes = Buffer.from(await response.arrayBuffer());
    this.saw(where, bytes);
    this.saw(`headers of ${where}`, headersOf(response.headers));
    return bytes;
  }

  /** A socket whose every word is noted, from the answer to its upgrade to why it closed. */
  async tap(server: TestServer, token: string, version: number): Promise<Tap> {
    const url = `${server.url.replace('http', 'ws')}/live`;
    const socket = new WebSocket(url, { origin: server.app.config.publicUrl });
    const heard: { type: string }[] = [];
    socket.on('upgrade', (response) =>
      this.saw('headers of the upgrade', JSON.stringify(response.rawHeaders)),
    );
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as { type: string };
      heard.push(frame);
      this.frames.add(frame.type);
      this.saw(`frame ${frame.type}`, data);
    });
    socket.on('close', (code, reason) => this.saw(`close ${code}`, reason));
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    const say = (frame: object): void => socket.send(JSON.stringify(frame));
    say({ type: 'hello', version, token });
    return { say, heard, close: () => socket.close() };
  }
}

export type Tap = { say(frame: object): void; heard: { type: string }[]; close(): void };

function headersOf(headers: Headers): string {
  return [...headers].map(([name, value]) => `${name}: ${value}`).join('\n');
}

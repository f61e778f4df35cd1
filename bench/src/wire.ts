import { connect, type Socket } from 'node:net';

const MASK = Buffer.from([0x5a, 0x17, 0xc3, 0x6e]);
const FIN = 0x80;
const MASKED = 0x80;
const TEXT = 0x1;
const CLOSE = 0x8;
const PING = 0x9;
const PONG = 0xa;
const HEAD_END = '\r\n\r\n';
/** Markers in the second byte of a frame: the length follows in two, or in eight, more bytes. */
const LENGTH_16 = 126;
const LENGTH_64 = 127;

/** The frame of a client with this text. It can be sent repeatedly. */
export function clientFrame(text: string): Buffer {
  return frameOf(TEXT, Buffer.from(text));
}

/** Position of the payload in a client's frame. */
export function payloadStart(frame: Buffer): number {
  return ((frame[1] ?? 0) & 0x7f) === LENGTH_16 ? 8 : 6;
}

/** Overwrites part of a payload with ASCII letters; `at` counts from the start of the payload. */
export function patch(frame: Buffer, start: number, at: number, letters: string): void {
  for (let index = 0; index < letters.length; index += 1) {
    frame[start + at + index] = letters.charCodeAt(index) ^ (MASK[(at + index) & 3] ?? 0);
  }
}

function frameOf(opcode: number, payload: Buffer): Buffer {
  const long = payload.length >= LENGTH_16;
  const head = Buffer.from([FIN | opcode, MASKED | (long ? LENGTH_16 : payload.length)]);
  const length = Buffer.alloc(long ? 2 : 0);
  if (long) length.writeUInt16BE(payload.length);
  const masked = Buffer.from(payload.map((byte, index) => byte ^ (MASK[index & 3] ?? 0)));
  return Buffer.concat([head, length, MASK, masked]);
}

/** A minimal WebSocket client, because the load generator shares the CPU with the product that it measures. */
export class Wire {
  onFrame: (payload: Buffer) => void = () => {};
  /** `why` has the code and the text of the close, if there was one. */
  onClose: (why: string) => void = () => {};
  readonly #socket: Socket;
  #rest: Buffer | undefined;
  #why = 'the connection broke';

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#why = `the connection broke: ${error.code ?? error.message}`;
    });
    socket.on('close', () => this.onClose(this.#why));
  }

  /** `from` is the client's own address. */
  static open(port: number, origin: string, from = '127.0.0.1'): Promise<Wire> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress: from, noDelay: true });
      let answer = '';
      const onHead = (chunk: Buffer): void => {
        answer += chunk.toString('latin1');
        const end = answer.indexOf(HEAD_END);
        if (end < 0) return;
        socket.off('data', onHead);
        if (!answer.startsWith('HTTP/1.1 101')) {
          socket.destroy();
          reject(new Error(`no upgrade: ${answer.slice(0, answer.indexOf('\r'))}`));
          return;
        }
        const wire = new Wire(socket);
        wire.#read(Buffer.from(answer.slice(end + HEAD_END.length), 'latin1'));
        resolve(wire);
      };
      socket.on('data', onHead);
      socket.on('error', reject);
      socket.write(
        `GET /live HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: ${origin}\r\nConnection: Upgrade\r\n` +
          `Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: c2V0dGVlLWJlbmNoLWtleQ==\r\n\r\n`,
      );
    });
  }

  write(frame: Buffer): void {
    this.#socket.write(frame);
  }

  /** Sends a frame and waits for the frame of that type. Ignores other frames meanwhile. */
  ask(question: object, answerType: string, ms = 30_000): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const { onFrame, onClose } = this;
      const late = setTimeout(() => reject(new Error(`no ${answerType}`)), ms);
      const settle = (): void => {
        clearTimeout(late);
        this.onFrame = onFrame;
        this.onClose = onClose;
      };
      this.onClose = (why) => {
        settle();
        reject(new Error(`closed instead of ${answerType}: ${why}`));
      };
      const start = `{"type":"${answerType}"`;
      this.onFrame = (payload) => {
        if (payload.toString('latin1', 0, start.length) !== start) return;
        settle();
        resolve(payload);
      };
      this.write(clientFrame(JSON.stringify(question)));
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    const data = this.#rest === undefined ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#rest = undefined;
    let at = 0;
    while (at < data.length) {
      const short = (data[at + 1] ?? 0) & 0x7f;
      const head = short === LENGTH_64 ? 10 : short === LENGTH_16 ? 4 : 2;
      if (at + head > data.length) break;
      const length =
        short === LENGTH_64
          ? Number(data.readBigUInt64BE(at + 2))
          : short === LENGTH_16
            ? data.readUInt16BE(at + 2)
            : short;
      const end = at + head + length;
      if (end > data.length) break;
      this.#take((data[at] ?? 0) & 0x0f, data.subarray(at + head, end));
      at = end;
    }
    if (at < data.length) this.#rest = data.subarray(at);
  }

  #take(opcode: number, payload: Buffer): void {
    if (opcode === TEXT) this.onFrame(payload);
    else if (opcode === PING) this.write(frameOf(PONG, payload));
    else if (opcode === CLOSE) {
      this.#why = `${payload.readUInt16BE(0)} ${payload.toString('utf8', 2)}`;
      this.#socket.end();
    }
  }
}

import type { Down } from '@settee/protocol/frames/down';
import type { Up } from '@settee/protocol/frames/up';
import { PROTOCOL_VERSION } from '@settee/protocol/frames/version';
import { WebSocket } from 'ws';

type Options = {
  port: number;
  origin: string;
  token: string;
  /** The conversations to watch. */
  conversations?: readonly string[];
  received?(frame: Down): void;
  closed?(code: number): void;
  readyWithinMs?: number;
};

export type LiveSocket = { send(frame: Up): void; close(): void };

/** A socket that never reconnects. Resolves when it is welcome and watches; undefined if that fails. */
export async function openSocket(options: Options): Promise<LiveSocket | undefined> {
  const { port, origin, token, conversations = [], received, closed, readyWithinMs = 10_000 } = options;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/live`, { origin, perMessageDeflate: false });
  const send = (frame: Up): void => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
  };
  const ready = Promise.withResolvers<boolean>();
  let waiting = 1 + conversations.length;
  const timer = setTimeout(() => socket.terminate(), readyWithinMs);
  socket.on('open', () => {
    send({ type: 'hello', version: PROTOCOL_VERSION, token });
    for (const conversationId of conversations) send({ type: 'watch', conversationId });
  });
  socket.on('error', () => {});
  socket.on('message', (data: Buffer) => {
    const frame = JSON.parse(data.toString()) as Down;
    received?.(frame);
    if (frame.type === 'welcome' || frame.type === 'watched') waiting -= 1;
    if (waiting === 0) ready.resolve(true);
    else if (frame.type === 'refused') socket.terminate();
  });
  socket.on('close', (code) => {
    closed?.(code);
    ready.resolve(false);
  });
  const isReady = await ready.promise;
  clearTimeout(timer);
  return isReady ? { send, close: () => socket.terminate() } : undefined;
}

/** The same for a gateway that must answer. */
export async function mustOpenSocket(options: Options): Promise<LiveSocket> {
  const socket = await openSocket({ ...options, readyWithinMs: 60_000 });
  if (socket === undefined) throw new Error('a page cannot connect');
  return socket;
}

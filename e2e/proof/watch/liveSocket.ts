import type { Down } from '@settee/protocol/frames/down';
import type { Up } from '@settee/protocol/frames/up';
import { PROTOCOL_VERSION } from '@settee/protocol/frames/version';
import { WebSocket } from 'ws';

const READY_WITHIN_MS = 10_000;

type Options = {
  port: number;
  origin: string;
  token: string;
  /** The conversation to watch. */
  conversation?: string;
  received?(frame: Down): void;
  closed?(): void;
};

export type LiveSocket = { send(frame: Up): void; close(): void };

/** A socket that never reconnects. Resolves when it is welcome and watches; undefined if that fails. */
export async function openSocket(options: Options): Promise<LiveSocket | undefined> {
  const { port, origin, token, conversation, received, closed } = options;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/live`, { origin, perMessageDeflate: false });
  const send = (frame: Up): void => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
  };
  const ready = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => socket.terminate(), READY_WITHIN_MS);
  socket.on('open', () => send({ type: 'hello', version: PROTOCOL_VERSION, token }));
  socket.on('error', () => {});
  socket.on('message', (data: Buffer) => {
    const frame = JSON.parse(data.toString()) as Down;
    received?.(frame);
    if (frame.type === 'welcome' && conversation !== undefined)
      send({ type: 'watch', conversationId: conversation });
    if (frame.type === (conversation === undefined ? 'welcome' : 'watched')) ready.resolve(true);
    if (frame.type === 'refused') socket.terminate();
  });
  socket.on('close', () => {
    closed?.();
    ready.resolve(false);
  });
  const isReady = await ready.promise;
  clearTimeout(timer);
  return isReady ? { send, close: () => socket.terminate() } : undefined;
}

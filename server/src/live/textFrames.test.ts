import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { textFrames } from './textFrames.ts';

test('frames of every length arrive whole and in order', async () => {
  const texts = [0, 1, 125, 126, 127, 65_535, 65_536, 100_000].map((length) => 'x'.repeat(length));
  const sockets = new WebSocketServer({ noServer: true });
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  server.on('upgrade', (request, stream, head) => {
    sockets.handleUpgrade(request, stream, head, (socket) => {
      stream.write(textFrames(texts.map((text) => Buffer.from(text))));
      socket.close();
    });
  });
  await once(server, 'listening');
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const received: unknown[] = [];
  client.on('message', (data: Buffer, isBinary) => received.push(isBinary ? data : data.toString()));
  await once(client, 'close');
  expect(received).toEqual(texts);
});

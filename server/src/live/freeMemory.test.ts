import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket as TcpSocket } from 'node:net';
import type { Duplex } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { freeAfterUpgrade, freeLastChunk } from './freeMemory.ts';

const UPGRADE =
  'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
/** A masked text frame, `Hello`. */
const HELLO = Buffer.from('818537fa213d7f9f4d5158', 'hex');

async function openSocket() {
  const sockets = new WebSocketServer({ noServer: true, clientTracking: false });
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  const opened = new Promise<{ socket: WebSocket; stream: TcpSocket }>((resolve) => {
    server.on('upgrade', (request, stream: Duplex, head) => {
      sockets.handleUpgrade(request, stream, head, (socket) =>
        resolve({ socket, stream: stream as TcpSocket }),
      );
    });
  });
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void client.destroy());
  client.write(UPGRADE);
  return { client, ...(await opened) };
}

test('what Node and ws keep after an upgrade is freed', async () => {
  const { socket, stream } = await openSocket();
  expect(stream.remoteAddress).toBe('127.0.0.1');
  expect(stream).toMatchObject({ _peername: { address: '127.0.0.1' } });
  const kept = socket as unknown as Record<'_receiver' | '_sender', { _extensions: object }>;
  const extensions = kept._receiver._extensions;
  expect(kept._sender._extensions).toBe(extensions);
  freeAfterUpgrade(socket, stream);
  expect(stream).toMatchObject({ _peername: undefined });
  for (const part of [socket as unknown as typeof kept._sender, kept._receiver, kept._sender])
    expect(part._extensions).not.toBe(extensions);
});

test('the last bytes that arrived are freed, except in the middle of a frame', async () => {
  const { client, socket, stream } = await openSocket();
  freeAfterUpgrade(socket, stream);
  const { _receiver: receiver } = socket as unknown as { _receiver: { _mask: Buffer | undefined } };
  const next = async (): Promise<string> => String((await once(socket, 'message'))[0]);
  const first = next();
  client.write(HELLO);
  expect(await first).toBe('Hello');
  expect(receiver._mask).toBeInstanceOf(Buffer);
  freeLastChunk(socket);
  expect(receiver._mask).toBeUndefined();

  const second = next();
  const bytes = stream.bytesRead;
  client.write(HELLO.subarray(0, 8));
  await expect.poll(() => stream.bytesRead).toBe(bytes + 8);
  freeLastChunk(socket);
  client.write(HELLO.subarray(8));
  expect(await second).toBe('Hello');
});

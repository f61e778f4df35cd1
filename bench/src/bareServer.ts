// The baseline for the gateway's memory: only ws, with the same options.
import { createServer } from 'node:http';
import { FRAME_MAX_BYTES } from '@settee/protocol/frames/up';
import { type WebSocket, WebSocketServer } from 'ws';

const WELCOME = '{"type":"welcome"}';
const WATCHED = '{"type":"watched"}';

const sockets = new WebSocketServer({
  noServer: true,
  maxPayload: FRAME_MAX_BYTES,
  perMessageDeflate: false,
  clientTracking: true,
});

function greet(socket: WebSocket): void {
  socket.on('message', (data: Buffer) => {
    socket.send(data.toString().startsWith('{"type":"hello"') ? WELCOME : WATCHED);
  });
}

createServer()
  .on('upgrade', (request, stream, head) => sockets.handleUpgrade(request, stream, head, greet))
  .listen(Number(process.argv[2]), '127.0.0.1', () => process.send?.('listening'));

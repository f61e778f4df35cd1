import { connect, createServer, type Socket } from 'node:net';

/** The two ends of a proxied connection. */
export type Pair = { client: Socket; server: Socket };

/**
 * Opens an onward connection for each one that it accepts. `join` decides how data flows between them. The port is
 * chosen per connection, which spreads clients over the gateways.
 */
export async function startForwarding(
  target: () => number,
  join: (pair: Pair) => void,
): Promise<{ port: number; close: () => void }> {
  const prepare = (socket: Socket): void => {
    socket.setNoDelay(true);
    // A broken connection also emits close.
    socket.on('error', () => {});
  };
  const listener = createServer((client) => {
    const server = connect(target(), '127.0.0.1');
    prepare(client);
    prepare(server);
    client.once('close', () => server.destroy());
    server.once('close', () => client.destroy());
    join({ client, server });
  });
  await new Promise<void>((done, fail) => {
    listener.once('error', fail).listen(0, '127.0.0.1', done);
  });
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return { port: address.port, close: () => void listener.close() };
}

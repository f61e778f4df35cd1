import { connect, createServer, type Socket } from 'node:net';

/** The two ends of one connection that passes through us. */
export type Pair = { client: Socket; server: Socket };

/**
 * Accepts connections and dials one further on for each; what flows between the two is up to `join`.
 * The port is looked up for each connection: that is how clients are spread over gateways.
 */
export async function startForwarding(
  target: () => number,
  join: (pair: Pair) => void,
): Promise<{ port: number; close: () => void }> {
  const tend = (socket: Socket): void => {
    socket.setNoDelay(true);
    // A broken line also closes, and the close is what counts.
    socket.on('error', () => {});
  };
  const listener = createServer((client) => {
    const server = connect(target(), '127.0.0.1');
    tend(client);
    tend(server);
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

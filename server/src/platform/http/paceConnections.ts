import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Config } from '../config/config.ts';
import { connectionLimits } from '../limits/table.ts';
import { addressKey, trustedProxies } from './client.ts';

/** After this time a silent connection does not count any more, so that silent ones cannot keep others out. */
const SILENT_MS = 200;
/** Connections that begin to be read per turn of the event loop. */
const PER_TURN = 8;
/** How often to look for silent connections. */
const RETRY_MS = 10;
const REFUSAL =
  'HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/**
 * Reads the first requests of few connections at a time, and serves the open sockets in between. After a restart
 * thousands of pages connect at once. Node would handle all their requests in one turn of the event loop, and delay
 * everybody's messages by seconds.
 *
 * The returned function closes the connections that have not sent a request, and new ones. Node counts them as busy, so
 * that one of them would keep the server from closing. A browser opens such connections in advance.
 */
export function paceConnections(
  server: Server,
  config: Pick<Config, 'limitFactor' | 'trustProxy'>,
): () => void {
  const [accept] = server.listeners('connection');
  if (accept === undefined) throw new Error('an HTTP server without a listener for connections');
  const waiting: Duplex[] = [];
  /** With the time at which the reading began. */
  const reading = new Map<Duplex, number>();
  /** All that have not sent a request, also those that do not count as being read any more. */
  const silent = new Set<Duplex>();
  const places = new Places(config);
  let isScheduled = false;
  let isClosing = false;

  const canRead = (): boolean => {
    if (reading.size < connectionLimits.reading) return true;
    const [oldest] = reading;
    if (oldest === undefined || performance.now() - oldest[1] < SILENT_MS) return false;
    return reading.delete(oldest[0]);
  };
  const read = (connection: Duplex): void => {
    reading.set(connection, performance.now());
    accept.call(server, connection);
    connection.resume();
  };
  const readWaiting = (): void => {
    isScheduled = false;
    for (let begun = 0; begun < PER_TURN; begun += 1) {
      while (waiting[0]?.destroyed === true) waiting.shift();
      if (waiting.length > 0 && !canRead()) {
        setTimeout(schedule, RETRY_MS);
        return;
      }
      const next = waiting.shift();
      if (next === undefined) return;
      next.off('error', ignore);
      read(next);
    }
    schedule();
  };
  const schedule = (): void => {
    if (isScheduled || waiting.length === 0) return;
    isScheduled = true;
    setImmediate(readWaiting);
  };
  const begun = (connection: Duplex): void => {
    silent.delete(connection);
    if (reading.delete(connection)) schedule();
  };
  const closed = function closed(this: Duplex): void {
    begun(this);
    places.leave(this);
  };
  /** Until its body has arrived, a request has a place. */
  const requested = (request: IncomingMessage): void => {
    const { socket } = request;
    begun(socket);
    if (!hasBody(request)) places.leave(socket);
    else if (places.take(socket)) request.once('close', () => places.leave(socket));
    else socket.destroy();
  };
  const upgraded = ({ socket }: IncomingMessage): void => {
    socket.off('close', closed);
    closed.call(socket);
  };
  const refuse = (connection: Duplex): void => {
    connection.end(REFUSAL, () => connection.destroy());
  };

  // http.Server has no option for it. The kernel keeps what arrives before the reading begins.
  Object.assign(server, { pauseOnConnect: true });
  server.removeAllListeners('connection');
  server.on('connection', (connection: Duplex) => {
    if (isClosing) return connection.destroy();
    silent.add(connection);
    connection.once('close', closed);
    const isAllowed = places.take(connection);
    if (isAllowed && waiting.length === 0 && canRead()) return read(connection);
    // Nobody else listens yet.
    connection.on('error', ignore);
    if (!isAllowed || waiting.length >= connectionLimits.waiting) refuse(connection);
    else waiting.push(connection);
    schedule();
  });
  server.on('request', requested);
  server.on('upgrade', upgraded);
  return () => {
    isClosing = true;
    for (const connection of silent) connection.destroy();
  };
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Counts the connections of each address that have an unfinished request. A trusted proxy has no limit. */
class Places {
  readonly #isTrusted: ReturnType<typeof trustedProxies>;
  readonly #max: number;
  readonly #keys = new Map<Duplex, string>();
  readonly #counts = new Map<string, number>();

  constructor(config: Pick<Config, 'limitFactor' | 'trustProxy'>) {
    this.#isTrusted = trustedProxies(config);
    this.#max = connectionLimits.perAddress * config.limitFactor;
  }

  /** False if the address has too many. */
  take(connection: Duplex): boolean {
    const { remoteAddress } = connection as Partial<Socket>;
    if (this.#keys.has(connection)) return true;
    if (remoteAddress === undefined || this.#isTrusted(remoteAddress, 0)) return true;
    const key = addressKey(remoteAddress);
    const count = this.#counts.get(key) ?? 0;
    if (count >= this.#max) return false;
    this.#counts.set(key, count + 1);
    this.#keys.set(connection, key);
    return true;
  }

  leave(connection: Duplex): void {
    const key = this.#keys.get(connection);
    if (key === undefined) return;
    this.#keys.delete(connection);
    const left = (this.#counts.get(key) ?? 0) - 1;
    if (left > 0) this.#counts.set(key, left);
    else this.#counts.delete(key);
  }
}

function ignore(): void {}

import { randomUUID } from 'node:crypto';
import { connect, type Msg, type MsgCallback, type NatsConnection } from '@nats-io/transport-node';
import { withTimeout } from '../limits/concurrency.ts';
import type { Bus } from '../ports/ports.ts';

const RECONNECT_MS = 500;
const READY_MS = 500;
const PROBE_MS = 5_000;

/**
 * The client creates three promises and a list per subscription, which callbacks do not need. Sharing them saves 0.7 KiB
 * per watched conversation. If a later client names them differently, this has no effect.
 */
const settled = Object.assign(Promise.resolve(), { resolve() {}, reject() {} });
const UNUSED = { signal: settled, iterClosed: settled, closed: settled, yields: [] };

/**
 * Core NATS, without persistence or acknowledgements: hints need neither. Cells that share a server use different
 * prefixes.
 */
export async function connectNats(urls: string, prefix: string, readyMs = READY_MS): Promise<Bus> {
  const connection = await connect({
    ...natsOptions(urls),
    // The gateway has already notified its own sockets.
    noEcho: true,
    // A gateway survives any outage of the bus, thanks to the sweep.
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_MS,
    pingInterval: 2_000,
    maxPingOut: 2,
    waitOnFirstConnect: true,
  });
  return busOver(connection, `settee.${prefix}.`, readyMs);
}

function natsOptions(urls: string) {
  const servers = urls.split(',').map((url) => new URL(url.trim()));
  // The whole cluster has one account. Any of the URLs may contain it.
  const named = servers.find(({ username }) => username !== '');
  return {
    servers: servers.map(({ protocol, host }) => `${protocol}//${host}`),
    ...(named !== undefined && {
      user: decodeURIComponent(named.username),
      pass: decodeURIComponent(named.password),
    }),
    name: 'settee',
    // Otherwise the client would accept a server that offers no TLS, and send it the password.
    ...(servers.some(({ protocol }) => protocol === 'tls:') && { tls: { handshakeFirst: true } }),
  };
}

type Listener = Parameters<Bus['subscribe']>[1];

function busOver(connection: NatsConnection, prefix: string, readyMs: number): Bus {
  let connected = true;
  const gapListeners: (() => void)[] = [];
  void (async () => {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') connected = false;
      if (status.type === 'reconnect') {
        connected = true;
        for (const run of gapListeners) run();
      }
    }
  })();
  /** Many subscriptions share a listener. */
  const callbacks = new WeakMap<Listener, MsgCallback<Msg>>();
  const callbackOf = (listener: Listener): MsgCallback<Msg> => {
    let callback = callbacks.get(listener);
    if (callback === undefined) {
      callback = (error, message) => {
        if (error === null) listener(message.subject.slice(prefix.length), message.data);
      };
      callbacks.set(listener, callback);
    }
    return callback;
  };
  return {
    subscribe(pattern, listener) {
      const subscription = connection.subscribe(prefix + pattern, { callback: callbackOf(listener) });
      return Object.assign(subscription, UNUSED);
    },
    publish(subject, payload) {
      // While disconnected, hints would be buffered and arrive stale.
      if (connected && !connection.isClosed()) connection.publish(prefix + subject, payload);
    },
    async ready() {
      if (!connected || connection.isClosed()) return;
      // The server answers a ping after it has processed earlier subscriptions.
      await withTimeout(readyMs, connection.flush()).catch(() => {});
    },
    onGap: (run) => void gapListeners.push(run),
    isConnected: () => connected,
    close: () => connection.close(),
  };
}

/** Connects once, like a gateway, and waits for its own message to come back from the server. */
export async function probeNats(url: string, cell: string): Promise<{ version: string; ms: number }> {
  const connection = await connect({ ...natsOptions(url), reconnect: false, timeout: PROBE_MS });
  try {
    // The prefix of hints, because permissions may depend on the subject.
    const subject = `settee.${cell}.doctor.${randomUUID()}`;
    const subscription = connection.subscribe(subject, { max: 1 });
    const began = performance.now();
    connection.publish(subject, 'x');
    const message = subscription[Symbol.asyncIterator]().next();
    const received = await withTimeout(PROBE_MS, message).catch(() => ({ done: true }));
    if (received.done === true) throw Object.assign(new Error(), { code: 'NO_ROUND_TRIP' });
    return { version: connection.info?.version ?? '0', ms: performance.now() - began };
  } finally {
    await connection.close();
  }
}

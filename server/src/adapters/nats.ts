import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Bus } from '../ports.ts';

const RECONNECT_MS = 500;
const READY_MS = 500;

/**
 * Every subscription brings three promises for readers that iterate or wait for its end. Ours are
 * read by callback, one per watched conversation, and nobody waits: they share these, which saves
 * 0.7 KiB each. Should a release of the client name them otherwise, this does nothing.
 */
const settled = Object.assign(Promise.resolve(), { resolve() {}, reject() {} });
const NEVER_AWAITED = { signal: settled, iterClosed: settled, closed: settled };

/**
 * Core NATS: no persistence, no acknowledgement, which is all that hints need. Cells that share a
 * server keep apart by their prefix.
 */
export async function connectNats(urls: string, prefix: string): Promise<Bus> {
  const connection = await connect({
    ...natsOptions(urls),
    // What this gateway publishes, it has already told its own sockets.
    noEcho: true,
    // A gateway outlives any outage of the bus: the sweep carries it meanwhile.
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_MS,
    pingInterval: 2_000,
    maxPingOut: 2,
    waitOnFirstConnect: true,
  });
  return busOver(connection, `settee.${prefix}.`);
}

/** Where, and as whom. */
export function natsOptions(urls: string) {
  const servers = urls.split(',').map((url) => new URL(url.trim()));
  // One account for the whole cluster: it may stand in any of its addresses.
  const named = servers.find(({ username }) => username !== '');
  return {
    servers: servers.map(({ protocol, host }) => `${protocol}//${host}`),
    ...(named !== undefined && {
      user: decodeURIComponent(named.username),
      pass: decodeURIComponent(named.password),
    }),
    name: 'settee',
  };
}

function busOver(connection: NatsConnection, prefix: string): Bus {
  let connected = true;
  const missed: (() => void)[] = [];
  void (async () => {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') connected = false;
      if (status.type === 'reconnect') {
        connected = true;
        for (const run of missed) run();
      }
    }
  })();
  return {
    subscribe(pattern, heard) {
      const subscription = connection.subscribe(prefix + pattern, {
        callback: (error, message) => {
          if (error === null) heard(message.subject.slice(prefix.length), message.data);
        },
      });
      Object.assign(subscription, NEVER_AWAITED);
      return { end: () => subscription.unsubscribe() };
    },
    publish(subject, payload) {
      // While the line is down a hint would only wait to be stale.
      if (connected && !connection.isClosed()) connection.publish(prefix + subject, payload);
    },
    async ready() {
      if (!connected || connection.isClosed()) return;
      // The server answers a ping after it has taken in the subscriptions before it.
      await Promise.race([connection.flush().catch(() => {}), sleep(READY_MS, undefined, { ref: false })]);
    },
    onGap: (run) => void missed.push(run),
    isConnected: () => connected,
    close: () => connection.close(),
  };
}

// `node bench/src/drain.ts --sockets 2000`: stops a gateway and measures how its clients reconnect.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { forEachConcurrently } from '../../server/src/limits/concurrency.ts';
import { freePorts } from '../../tools/freePorts.ts';
import { backOffDelay } from '../../web/src/net/backOff.ts';
import { stopChild } from './children.ts';
import { startGateway } from './gateway.ts';
import { openSocket } from './hello.ts';
import { type SignedIn, seedConversations, seedDesks, signInVisitor } from './people.ts';
import { percentile } from './percentile.ts';
import { openStage } from './stage.ts';
import type { Wire } from './wire.ts';

const WIDTH = 50;
const PROBE_EVERY_MS = 50;
const HEALTH_MS = 3_000;

const { values } = parseArgs({ options: { sockets: { type: 'string', default: '2000' } } });
const sockets = Number(values.sockets);

/** Reconnects as the page does: after a random delay, and watches its conversations again. */
async function reconnect(port: number, origin: string, user: SignedIn): Promise<number> {
  const closed = performance.now();
  for (let failures = 1; ; failures += 1) {
    await sleep(backOffDelay(failures, Math.random));
    const wire = await watch(port, origin, user).catch(() => undefined);
    if (wire !== undefined) return performance.now() - closed;
  }
}

async function watch(port: number, origin: string, { token, conversationIds }: SignedIn): Promise<Wire> {
  const wire = await openSocket(port, origin, token);
  for (const conversationId of conversationIds) await wire.ask({ type: 'watch', conversationId }, 'watched');
  return wire;
}

/** Chats through the other gateway meanwhile and measures the wait for each ack. */
function probe(
  wire: Wire,
  conversationId: string,
): { waits: { at: number; ms: number }[]; stop(): Promise<void> } {
  const waits: { at: number; ms: number }[] = [];
  let stopped = false;
  const asking = (async () => {
    while (!stopped) {
      const at = performance.now();
      await wire.ask({ type: 'send', conversationId, id: randomUUID(), text: 'how long?' }, 'ack');
      waits.push({ at, ms: performance.now() - at });
      await sleep(PROBE_EVERY_MS);
    }
  })();
  return {
    waits,
    async stop() {
      stopped = true;
      await asking;
    },
  };
}

const engines = await openStage();
try {
  const database = await engines.createDatabase();
  const desks = await seedDesks(database, 20);
  const claimed = await seedConversations(database, desks, Array<number>(sockets + 1).fill(0));
  const [leavingPort = 0, stayingPort = 0] = await freePorts(2);
  const settings = { databaseUrl: database.url, natsUrl: engines.natsUrl, publicPort: leavingPort };
  const leaving = await startGateway({ ...settings, port: leavingPort });
  const staying = await startGateway({ ...settings, port: stayingPort });
  const [own, ...users] = await Promise.all(claimed.map((each) => signInVisitor(leavingPort, each)));
  if (own === undefined) throw new Error('no visitor to measure with');
  const returns: Promise<number>[] = [];
  await forEachConcurrently(users, WIDTH, async (user) => {
    const wire = await watch(leavingPort, leaving.origin, user);
    wire.onClose = () => void returns.push(reconnect(stayingPort, staying.origin, user));
  });
  const asked = probe(await watch(stayingPort, staying.origin, own), own.conversationIds[0] ?? '');
  await sleep(HEALTH_MS);

  const began = performance.now();
  await stopChild(leaving.child);
  const exitMs = performance.now() - began;
  const times = await Promise.all(returns);
  const over = performance.now();
  await asked.stop();
  const waits = (from: number, to: number): string => {
    const some = asked.waits.filter(({ at }) => at >= from && at < to).map(({ ms }) => ms);
    return `p50 ${percentile(some, 0.5).toFixed(0)} ms, at worst ${Math.max(...some).toFixed(0)} ms`;
  };
  console.log(
    `${times.length} of ${sockets} sockets came back; SIGTERM to exit ${exitMs.toFixed(0)} ms (code ${leaving.child.exitCode})`,
  );
  console.log(
    `a socket's close to watching again: p50 ${percentile(times, 0.5).toFixed(0)} ms, p99 ${percentile(times, 0.99).toFixed(0)} ms`,
  );
  console.log(`an ack at the other gateway: before ${waits(0, began)}; meanwhile ${waits(began, over)}`);
  await staying.stop();
  await database.drop();
} finally {
  await engines.stop();
}
process.exit(0);

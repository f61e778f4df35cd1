import { setTimeout as sleep } from 'node:timers/promises';
import type { Signing } from '../../../bench/src/people.ts';
import { seedDesks } from '../../../bench/src/people.ts';
import { Random } from '../random.ts';
import type { Run } from '../scenario.ts';
import {
  type Database,
  databaseAt,
  type Installation,
  install,
  query,
  unexpectedEnds,
} from './installation.ts';
import { startRegion } from './region.ts';

export const DESKS = ['desk-0', 'desk-1', 'desk-2'];
const ASK_EVERY_MS = 100;

/** Gateways, and a PostgreSQL that can fail over. */
export type FailingOver = {
  /** Where the failing PostgreSQL runs, for the report. */
  name: string;
  ports: [number, ...number[]];
  origin: string;
  signing: Signing;
  database: Database;
  /** Not in a region. */
  nats?: Installation['nats'];
  /** Kills the primary and returns when PostgreSQL accepts writes again. */
  failOver(): Promise<void>;
  /** Waits until it can fail over again. */
  recovered(): Promise<void>;
  unexpectedEnds(): string[];
  close(): Promise<void>;
};

/** Three gateways with the intervals of the product and one PostgreSQL; at night also a region with Patroni. */
export async function startFailingOver({ instance }: Run): Promise<FailingOver> {
  const place = await install({ instance, gateways: 3 });
  await seedDesks(place.database, DESKS.length);
  const { SECRET: secret = '', PUBLIC_URL: publicUrl = '' } = place.env;
  return {
    ...place,
    name: 'one PostgreSQL, killed and restarted',
    signing: { secret, publicUrl },
    async failOver() {
      await place.postgres.kill();
      await place.postgres.start();
    },
    recovered: async () => {},
  };
}

/** The gateways of a region. Its PostgreSQL fails over to a standby when the machine of the primary is killed. */
export async function startFailingRegion(): Promise<FailingOver> {
  const region = await startRegion({ random: new Random(1), synchronous: true });
  const { databases, databaseUrl, env, gateways, workers } = region;
  const ownerUrl = new URL(databases.ownerUrl);
  ownerUrl.pathname = new URL(databaseUrl).pathname;
  const database = databaseAt(databaseUrl, ownerUrl.href, async () => {});
  await seedDesks(database, DESKS.length);
  const { SECRET: secret = '', PUBLIC_URL: publicUrl = '' } = env;
  return {
    name: 'Patroni, primary and its machine killed',
    // Not the gateway whose clock is an hour ahead: the tokens that we sign expire there.
    ports: region.gatewayPorts.filter((port) => port !== region.signInPort) as [number, ...number[]],
    origin: publicUrl,
    signing: { secret, publicUrl },
    database,
    async failOver() {
      // A busy computer may have caused a failover of its own.
      let primary = await databases.leader();
      for (; primary === undefined; primary = await databases.leader()) await sleep(ASK_EVERY_MS);
      await primary.machine.kill();
      while (!(await acceptsWrites(ownerUrl.href))) await sleep(ASK_EVERY_MS);
      databases.start(primary);
    },
    recovered: () => databases.waitUntilHealthy(),
    unexpectedEnds: () => unexpectedEnds([...gateways, ...workers]),
    async close() {
      await database.drop();
      await region.close();
    },
  };
}

/** Waits for the synchronous standby too. */
function acceptsWrites(url: string): Promise<boolean> {
  return query(url, "select pg_logical_emit_message(true, 'proof', '')", [], 10_000).then(
    () => true,
    () => false,
  );
}

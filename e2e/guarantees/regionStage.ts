import { setTimeout as sleep } from 'node:timers/promises';
import { seedDesks } from '../../bench/src/people.ts';
import { query } from '../proof/database.ts';
import { Random } from '../proof/random.ts';
import { startRegion } from '../region/stage.ts';
import { DESKS, openDatabase, type Place } from './stage.ts';

const ASK_EVERY_MS = 100;

/** The gateways of a region. Its PostgreSQL fails over to a standby when the machine of the primary is killed. */
export async function setRegion(): Promise<Place> {
  const region = await startRegion({ random: new Random(1), synchronous: true });
  const { databases, databaseUrl, env, gateways, workers } = region;
  const ownerUrl = new URL(databases.ownerUrl);
  ownerUrl.pathname = new URL(databaseUrl).pathname;
  const database = openDatabase(databaseUrl, ownerUrl.href, async () => {});
  await seedDesks(database, DESKS.length);
  const { SECRET: secret = '', PUBLIC_URL: publicUrl = '' } = env;
  return {
    name: 'Patroni, primary and its machine killed',
    // Not the gateway whose clock is an hour ahead: the tokens that we sign expire there.
    ports: region.gatewayPorts.filter((port) => port !== region.aheadPort) as [number, ...number[]],
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
    unexpectedEnds: () => [...gateways, ...workers].flatMap(({ unexpectedEnds }) => unexpectedEnds),
    async close() {
      await database.drop();
      await region.close();
    },
  };
}

/** Waits for the synchronous standby too. */
function acceptsWrites(url: string): Promise<boolean> {
  return query(url, "select pg_logical_emit_message(true, 'guarantees', '')").then(
    () => true,
    () => false,
  );
}

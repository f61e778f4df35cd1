import { freePort } from '../../tools/freePorts.ts';
import { type DataCall, SEARCH_CALLS } from './dataCalls.ts';
import { LIST_CALLS } from './dataLists.ts';
import { seedRecords } from './dataRecords.ts';
import { type DataSize, LARGEST_DESK, MESSAGES_EACH, seedEnded, seedOpen } from './dataSeed.ts';
import { startGateway } from './gateway.ts';
import { signInAdministrator, signInHandler } from './people.ts';
import { type Spread, spread } from './percentile.ts';
import type { BenchDatabase, Engines } from './stage.ts';

const CALLS = [...SEARCH_CALLS, ...LIST_CALLS];

export type DataOptions = Omit<DataSize, 'conversations'> & {
  /** Conversations at the first and at the second measurement. */
  small: number;
  big: number;
  /** How often each call is measured. */
  times: number;
};

/** Milliseconds from request to answer, and the number of incomplete or wrong answers. */
type Measured = Spread & { wrong: number };
export type DataTimes = { what: string; small: Measured; big: Measured };
export type DataResult = { small: number; big: number; loadSeconds: number; calls: DataTimes[] };

/** Measures calls through the real gateway with little history and with much, in one database that grows. */
export async function measureData(engines: Engines, options: DataOptions): Promise<DataResult> {
  const database = await engines.createDatabase();
  try {
    let loadSeconds = 0;
    const load = async (seed: Promise<void>): Promise<void> => {
      const startedAt = performance.now();
      await seed;
      loadSeconds += (performance.now() - startedAt) / 1_000;
    };
    await load(seedOpen(database, { ...options, conversations: options.small }));
    await load(seedEnded(database, { ...options, conversations: options.small }));
    await load(seedRecords(database, { ...options, conversations: options.small }));
    const small = await measureCalls(engines, database, options.times);
    await load(seedEnded(database, { ...options, conversations: options.big }));
    await load(seedRecords(database, { ...options, conversations: options.big }));
    const big = await measureCalls(engines, database, options.times);
    const calls = CALLS.map(({ what }, n) => ({
      what,
      small: small[n] as Measured,
      big: big[n] as Measured,
    }));
    return { small: options.small, big: options.big, loadSeconds, calls };
  } finally {
    await database.drop();
  }
}

async function measureCalls(engines: Engines, database: BenchDatabase, times: number): Promise<Measured[]> {
  const port = await freePort();
  const gateway = await startGateway({ databaseUrl: database.url, natsUrl: engines.natsUrl, port });
  try {
    const tokens = {
      handler: (await signInHandler(port, database, LARGEST_DESK, [])).token,
      administrator: await signInAdministrator(port, database),
    };
    const measured: Measured[] = [];
    for (const call of CALLS) {
      const answers: Answer[] = [];
      // The first call warms the caches.
      for (let n = 0; n <= times; n += 1) answers.push(await ask(gateway.origin, tokens[call.as], call, n));
      const counted = answers.slice(1);
      measured.push({
        ...spread(counted.map(({ ms }) => ms)),
        wrong: counted.filter(({ right }) => !right).length,
      });
    }
    return measured;
  } finally {
    await gateway.stop();
  }
}

type Answer = { ms: number; right: boolean };

async function ask(origin: string, token: string, call: DataCall, n: number): Promise<Answer> {
  const startedAt = performance.now();
  const response = await fetch(`${origin}${call.path(n)}`, { headers: { authorization: `Bearer ${token}` } });
  const text = await response.text();
  const ms = performance.now() - startedAt;
  if (!response.ok) throw new Error(`${call.what}: answered ${response.status}: ${text}`);
  return { ms, right: call.check(JSON.parse(text)) };
}

export function messagesOf(conversations: number): number {
  return conversations * MESSAGES_EACH;
}

import { DashboardPeriod } from '@settee/protocol/model/dashboard';
import { freePort } from '../../tools/freePorts.ts';
import { startGateway } from './gateway.ts';
import { type HistorySize, writeHistory } from './history.ts';
import { seedDesks, signInAdministrator } from './people.ts';
import { type Spread, spread } from './percentile.ts';
import type { Engines } from './stage.ts';

const DESKS = 20;
const CALLS = 50;
const ZONE = 'Europe/Berlin';

/** Milliseconds from request to answer: the first request, and the later ones. */
type DashboardTimes = { period: DashboardPeriod; first: number; ms: Spread };
export type DashboardResult = {
  messages: number;
  conversations: number;
  loadSeconds: number;
  times: DashboardTimes[];
};

/** The whole call through the real gateway, with months of history. */
export async function measureDashboard(engines: Engines, size: HistorySize): Promise<DashboardResult> {
  const database = await engines.createDatabase();
  try {
    const desks = await seedDesks(database, DESKS);
    const startedAt = performance.now();
    await writeHistory(database, desks, size);
    const loadSeconds = (performance.now() - startedAt) / 1_000;
    const port = await freePort();
    const gateway = await startGateway({ databaseUrl: database.url, natsUrl: engines.natsUrl, port });
    try {
      const token = await signInAdministrator(port, database);
      const times: DashboardTimes[] = [];
      for (const period of DashboardPeriod.options) {
        const first = await read(gateway.origin, token, period);
        const samples: number[] = [];
        for (let call = 0; call < CALLS; call += 1) samples.push(await read(gateway.origin, token, period));
        times.push({ period, first, ms: spread(samples) });
      }
      return {
        messages: size.conversations * size.messagesEach,
        conversations: size.conversations,
        loadSeconds,
        times,
      };
    } finally {
      await gateway.stop();
    }
  } finally {
    await database.drop();
  }
}

async function read(origin: string, token: string, period: DashboardPeriod): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(`${origin}/manage/dashboard?period=${period}&zone=${ZONE}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const text = await response.text();
  const ms = performance.now() - startedAt;
  if (!response.ok) throw new Error(`the dashboard answered ${response.status}: ${text}`);
  return ms;
}

import { randomUUID } from 'node:crypto';
import { DashboardPeriod } from '@settee/protocol/model/dashboard';
import { systemClock } from '../../server/src/adapters/system.ts';
import { signStaff } from '../../server/src/auth/idToken.ts';
import type { Config } from '../../server/src/config/config.ts';
import { freePort } from '../../tools/freePorts.ts';
import { startGateway } from './gateway.ts';
import { type HistorySize, writeHistory } from './history.ts';
import { benchConfig, seedDesks } from './people.ts';
import { type Spread, spread } from './percentile.ts';
import type { BenchDatabase, Engines } from './stage.ts';

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

async function signInAdministrator(port: number, database: BenchDatabase): Promise<string> {
  const [session] = await database.run<{ staffId: string; sessionId: string }>(
    `with member as (
       insert into staff (email, name, password_hash, role) values ($1, 'Administrator', '', 'admin') returning id
     )
     insert into staff_sessions (token_hash, staff_id, expires_at, second_factor_at)
     select sha256(id::text::bytea), id, now() + interval '1 day', now() from member
     returning id as "sessionId", staff_id as "staffId"`,
    [`${randomUUID()}@bench.example`],
  );
  if (session === undefined) throw new Error('the session was not inserted');
  const { idToken } = await signStaff(
    { config: benchConfig(port) as Config, clock: systemClock },
    {
      kind: 'staff',
      ...session,
      name: 'Administrator',
      role: 'admin',
      alias: null,
      away: false,
      verified: true,
      enrolBy: null,
      overdue: false,
    },
  );
  return idToken;
}

import type { Dashboard } from '@settee/protocol/model/dashboard';
import pg from 'pg';
import { figuresByHand, figuresOf } from '../../../server/test/dashboardByHand.ts';
import type { Browser } from '../world.ts';
import type { Scene } from './scene.ts';

const ZONE = 'Europe/Berlin';
const PERIODS = ['today', '7days'] as const;

/** What the dashboard shows an administrator, and the same from the tables. */
export async function readFigures(scene: Scene, administrator: Browser): Promise<void> {
  const client = new pg.Client({ connectionString: scene.stage.databaseUrl });
  await client.connect();
  try {
    for (const period of PERIODS) {
      const path = `/manage/dashboard?period=${period}&zone=${encodeURIComponent(ZONE)}`;
      const answer = await scene.call(administrator, { path, method: 'GET' });
      const dashboard = answer.dashboard as Dashboard;
      const shown = figuresOf(dashboard);
      const tables = await figuresByHand(client, { period, zone: ZONE, now: new Date(dashboard.now) });
      scene.history.write({ type: 'figures', by: 'dashboard', period, figures: shown });
      // The dashboard shows only some desks, and the order of equal ones depends on the collation.
      const handlers = shown.handlers.map(({ alias }) =>
        tables.handlers.find((desk) => desk.alias === alias),
      );
      scene.history.write({ type: 'figures', by: 'tables', period, figures: { ...tables, handlers } });
    }
  } finally {
    await client.end();
  }
}

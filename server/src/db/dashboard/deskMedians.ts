import type { Database } from '../engine/database.ts';
import { readSlots } from './figures.ts';
import { medianWaitByDesk, readWaits } from './waits.ts';

const DAY_MS = 86_400_000;
const QUARTER_MS = 900_000;
const DAYS = 30;

/** The median first reply of each desk over the last 30 days, by the desk's number: counted already, not read anew. */
export async function readDeskMedians(db: Database, now: number): Promise<Map<number, number>> {
  const start = Math.floor((now - DAYS * DAY_MS) / QUARTER_MS) * QUARTER_MS;
  const times = { edges: [start, now + QUARTER_MS], before: { from: start, until: start } };
  const slots = await readSlots(db, times);
  return medianWaitByDesk(slots.filter(({ slot }) => slot > 0).map(({ waits }) => readWaits(waits)));
}

import type { Database } from '../platform/db/database.ts';
import { run } from '../platform/db/query.ts';
import { readSlots } from './figures.store.ts';
import { median } from './median.ts';
import { readWaits } from './waits.ts';

const DAY_MS = 86_400_000;
const QUARTER_MS = 900_000;
const MINUTE_MS = 60_000;
const DAYS = 30;
/** With fewer, the figure would reveal how one person answers. */
export const USUAL_REPLY_MIN = 20;
/** Coarse on purpose: a single reply rarely changes it. */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 1_440];

/** The usual wait in minutes, rounded up to a step; null with too few replies or above a day. */
export function usualReplyMinutes(waits: Float64Array): number | null {
  if (waits.length < USUAL_REPLY_MIN) return null;
  const minutes = (median(waits) ?? 0) / MINUTE_MS;
  return STEPS.find((step) => minutes <= step) ?? null;
}

/** From the counted first replies of the last 30 days. Gateways notice the change by themselves. */
export async function updateUsualReply(db: Database, now: number): Promise<void> {
  const start = Math.floor((now - DAYS * DAY_MS) / QUARTER_MS) * QUARTER_MS;
  const times = { edges: [start, now + QUARTER_MS], before: { from: start, until: start } };
  const slots = await readSlots(db, times);
  const waits = slots.filter(({ slot }) => slot > 0).flatMap(({ waits: text }) => [...readWaits(text).ms]);
  const minutes = usualReplyMinutes(Float64Array.from(waits));
  await run(db)`
    update brand set usual_reply_minutes = ${minutes} where usual_reply_minutes is distinct from ${minutes}`;
}

import { MAIN } from '@settee/protocol/model/profile';
import type { Database } from '../platform/db/database.ts';
import { column, rows, run } from '../platform/db/query.ts';
import { last30Days } from './dashboardPeriod.ts';
import { readSlots } from './figures.store.ts';
import { median } from './median.ts';
import { readWaits, waitsAt } from './waits.ts';

const MINUTE_MS = 60_000;
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

/** From each profile's counted first replies of the last 30 days. Gateways notice the change by themselves. */
export async function updateUsualReply(db: Database, now: number): Promise<void> {
  const slots = await readSlots(db, last30Days(now));
  const counted = slots.filter(({ slot }) => slot > 0).map(({ waits }) => readWaits(waits));
  const others = await rows<{ number: number; profile: string }>(db)`
    select number, profile from handlers where profile <> ${MAIN}`;
  const profileOfDesk = new Map(others.map(({ number, profile }) => [number, profile]));
  for (const slug of await column<string>(db)`select slug from profiles`) {
    const isOwn = (desk: number) => (profileOfDesk.get(desk) ?? MAIN) === slug;
    const waits = counted.flatMap((each) => [...waitsAt(each, isOwn).ms]);
    const minutes = usualReplyMinutes(Float64Array.from(waits));
    await run(db)`
      update profiles set usual_reply_minutes = ${minutes}
      where slug = ${slug} and usual_reply_minutes is distinct from ${minutes}`;
  }
}

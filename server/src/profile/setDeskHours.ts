import type { DeskHours, Week } from '@settee/protocol/model/hours';
import type { App } from '../platform/app.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import { audited } from '../platform/db/audited.ts';
import type { Staff } from '../platform/ports/caller.ts';
import { writeDeskHours } from './deskHours.store.ts';

/** Sets the hours of a desk; null removes them. */
export async function setDeskHours(
  app: App,
  staff: Staff,
  { alias, hours }: { alias: string; hours: DeskHours | null },
): Promise<void> {
  await audited(app, staff, async (db, record) => {
    if (!(await writeDeskHours(db, alias, hours))) throw new Refusal('not_found');
    const week = hours && { hours: formatWeek(hours.week) };
    record('hours.set', alias, { timeZone: hours?.timeZone ?? null, ...week });
  });
}

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** "Mon 09:00-12:00 13:00-17:00, Tue 09:00-17:00" */
function formatWeek(week: Week): string {
  return week
    .map((spans, n) => [DAYS[n], ...spans.map(({ from, to }) => `${clockTime(from)}-${clockTime(to)}`)])
    .filter((words) => words.length > 1)
    .map((words) => words.join(' '))
    .join(', ');
}

function clockTime(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((n) => String(n).padStart(2, '0')).join(':');
}

import type { Dashboard, DashboardPeriod } from '@settee/protocol/model/dashboard';
import type { Database } from '../platform/db/database.ts';
import { readDesksShown } from '../platform/db/profileOf.ts';
import { column, millis, sql } from '../platform/db/query.ts';
import { readDeskStatus } from './dashboardDesks.store.ts';
import { periodTimes } from './dashboardPeriod.ts';
import { readFigures, readSlots, type SlotFigures } from './figures.store.ts';
import { medianWait, medianWaitByDesk, readWaits, waitsAt } from './waits.ts';

/** Reads all dashboard figures, or those of a profile. They were counted when they happened, so no messages are read. */
export async function readDashboard(
  db: Database,
  {
    period,
    zone,
    profile,
    now,
  }: { period: DashboardPeriod; zone: string; profile?: string | undefined; now: number },
): Promise<Dashboard> {
  const times = periodTimes(period, zone, now);
  const shown = await readDesksShown(db, { profile });
  const [counted, { waiting, desks }, unopened, numbers] = await Promise.all([
    readSlots(db, times, profile),
    readDeskStatus(db, now, shown),
    readUnopened(db, now, shown),
    shown && column<number>(db)`select number from handlers where alias = any (${shown})`,
  ]);
  const own = numbers && new Set(numbers);
  const slots = counted.map((figures) => {
    const waits = readWaits(figures.waits);
    return { ...figures, waits: own === null ? waits : waitsAt(waits, (desk) => own.has(desk)) };
  });
  const before = slots.find(({ slot }) => slot === 0);
  const within = slots.filter(({ slot }) => slot > 0);
  const sum = (field: Exclude<keyof SlotFigures, 'slot' | 'waits'>) =>
    within.reduce((total, slot) => total + slot[field], 0);
  const waits = within.map((slot) => slot.waits);
  const byDesk = medianWaitByDesk(waits);
  return {
    period,
    now,
    messages: {
      visitors: sum('visitors'),
      replies: sum('replies'),
      before: (before?.visitors ?? 0) + (before?.replies ?? 0),
    },
    conversations: { count: sum('conversations'), before: before?.conversations ?? 0 },
    firstReply: {
      medianMs: medianWait(waits),
      beforeMs: before === undefined ? null : medianWait([before.waits]),
    },
    waiting,
    slots: times.edges.slice(0, -1).map((start, index) => {
      const slot = within.find((each) => each.slot === index + 1);
      return {
        start,
        visitors: slot?.visitors ?? 0,
        replies: slot?.replies ?? 0,
        conversations: slot?.conversations ?? 0,
        firstReplyMs: slot === undefined ? null : medianWait([slot.waits]),
      };
    }),
    handlers: desks.map(({ number, ...desk }) => ({ ...desk, firstReplyMs: byDesk.get(number) ?? null })),
    invites: {
      created: sum('invites'),
      opened: sum('opened'),
      started: sum('started'),
      replied: sum('answered'),
    },
    unopened,
  };
}

/** At most a month old. */
async function readUnopened(
  db: Database,
  now: number,
  shown: readonly string[] | null,
): Promise<Dashboard['unopened']> {
  const at = new Date(now);
  const [unopened] = await readFigures<NonNullable<Dashboard['unopened']>>(
    db,
    sql`select id as "inviteId", label, ${millis('expires_at')} as "expiresAt"
      from invites
      where state = 'NEW' and created_at > ${at}::timestamptz - interval '30 days' and expires_at > ${at}
        and (${shown}::text[] is null or handler_alias = any (${shown}::text[]))
      order by created_at desc, id limit 1`,
  );
  return unopened ?? null;
}

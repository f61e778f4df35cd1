import { MAIN } from '@settee/protocol/model/profile';
import type { Database } from '../platform/db/database.ts';
import { one } from '../platform/db/query.ts';
import { queryWithTimeout } from '../platform/db/statementTimeout.ts';
import type { PeriodTimes } from './dashboardPeriod.ts';

/** About a minute of a very busy installation. */
const FOLD_AT_ONCE = 50_000;

/** Folds newly counted rows into the totals. Returns their number. */
export async function foldFigures(db: Database, atOnce = FOLD_AT_ONCE): Promise<number> {
  let folded = 0;
  for (;;) {
    const { taken } = await one<{ taken: number }>(db)`select fold_figures(${atOnce}) as taken`;
    folded += taken;
    if (taken < atOnce) return folded;
  }
}

export type SlotFigures = {
  /** Starts at 1; 0 is the preceding time. */
  slot: number;
  visitors: number;
  replies: number;
  conversations: number;
  invites: number;
  opened: number;
  started: number;
  answered: number;
  /** Read by waits.ts. Text is shorter here than bytea, which PostgreSQL writes as hex. */
  waits: string;
};

const SUMS = ['visitors', 'replies', 'conversations', 'invites', 'opened', 'started', 'answered'];

/** One statement for both tables, so that rows folded meanwhile are counted exactly once. */
const IN_PERIOD = `quarter >= $2 and quarter < $4 and (quarter < $3 or quarter >= $5)`;
const COLUMNS = `quarter, ${SUMS.join(', ')}, waits`;
const period = (counted: string) => `
  select width_bucket(quarter, $1::timestamptz[]) as slot,
    ${SUMS.map((name) => `coalesce(sum(${name}), 0)::float8 as ${name}`).join(', ')},
    encode(coalesce(string_agg(waits, ''), ''), 'base64') as waits
  from (${counted}) counted
  group by 1`;
const OF_ALL = period(`
    select ${COLUMNS} from figures where ${IN_PERIOD}
    union all
    select ${COLUMNS} from figures_fresh where ${IN_PERIOD}`);

/** The first profile has what remains of the sum of all. The waits are all, because each has the number of its desk. */
const IS_FIRST = `($6 = '${MAIN}')::integer`;
const weighted = (weight: string) => SUMS.map((name) => `${name} * ${weight} as ${name}`).join(', ');
const OF_PROFILE = period(`
    select quarter, ${weighted(IS_FIRST)}, waits from figures where ${IN_PERIOD}
    union all
    select quarter, ${weighted(`(1 - 2 * ${IS_FIRST})`)}, null from profile_figures
    where (profile = $6 or $6 = '${MAIN}') and ${IN_PERIOD}
    union all
    select quarter, ${weighted(`(coalesce(h.profile, '${MAIN}') = $6)::integer`)}, waits
    from figures_fresh f left join handlers h on h.alias = f.alias where ${IN_PERIOD}`);

/** The query with its parameters, also for tests of its plan. */
export function periodQuery(
  { edges, before }: PeriodTimes,
  profile?: string,
): { text: string; values: unknown[] } {
  const [start = 0] = edges;
  const values = [edges.map((at) => new Date(at)), before.from, before.until, edges.at(-1) ?? start, start];
  const dates = values.map((value) => (typeof value === 'number' ? new Date(value) : value));
  return profile === undefined
    ? { text: OF_ALL, values: dates }
    : { text: OF_PROFILE, values: [...dates, profile] };
}

/** The waits are those of all profiles. */
export async function readSlots(db: Database, times: PeriodTimes, profile?: string): Promise<SlotFigures[]> {
  return readFigures<SlotFigures>(db, periodQuery(times, profile));
}

/** JIT would cost more than it saves. */
const PLANNING = { ms: 10_000, settings: 'set local jit = off' };

export async function readFigures<Row>(
  db: Database,
  query: { text: string; values?: readonly unknown[] },
): Promise<Row[]> {
  const rows = await queryWithTimeout<Row>(db, PLANNING, query);
  if (rows === undefined) throw new Error('the figures took too long');
  return rows;
}

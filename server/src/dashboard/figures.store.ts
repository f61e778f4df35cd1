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
const PERIOD = `
  select width_bucket(quarter, $1::timestamptz[]) as slot,
    ${SUMS.map((name) => `coalesce(sum(${name}), 0)::float8 as ${name}`).join(', ')},
    encode(coalesce(string_agg(waits, ''), ''), 'base64') as waits
  from (
    select ${COLUMNS} from figures where ${IN_PERIOD}
    union all
    select ${COLUMNS} from figures_fresh where ${IN_PERIOD}
  ) counted
  group by 1`;

/** The query with its parameters, also for tests of its plan. */
export function periodQuery({ edges, before }: PeriodTimes): { text: string; values: unknown[] } {
  const [start = 0] = edges;
  const values = [edges.map((at) => new Date(at)), before.from, before.until, edges.at(-1) ?? start, start];
  return {
    text: PERIOD,
    values: values.map((value) => (typeof value === 'number' ? new Date(value) : value)),
  };
}

export async function readSlots(db: Database, times: PeriodTimes): Promise<SlotFigures[]> {
  return readFigures<SlotFigures>(db, periodQuery(times));
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

import { DashboardPeriod } from '@settee/protocol/model/dashboard';
import { inSlices, insertMessages, PLAIN_TEXT, settle } from './bulk.ts';
import { timedGet, withGateway } from './gateway.ts';
import { seedDesks, signInAdministrator } from './people.ts';
import { type Spread, spread } from './percentile.ts';
import type { BenchDatabase, Engines } from './stage.ts';

const DESKS = 20;
const CALLS = 50;
const ZONE = 'Europe/Berlin';

type HistorySize = {
  conversations: number;
  messagesEach: number;
  /** Unopened invites, in addition to those of the conversations. */
  unopened: number;
  days: number;
};

/** Milliseconds from request to answer: the first request, and the later ones. */
type DashboardTimes = { period: DashboardPeriod; first: number; ms: Spread };
export type DashboardResult = {
  messages: number;
  conversations: number;
  loadSeconds: number;
  times: DashboardTimes[];
};

/** The whole call through the real gateway, with months of history. */
export function measureDashboard(engines: Engines, size: HistorySize): Promise<DashboardResult> {
  return engines.withDatabase(async (database) => {
    const desks = await seedDesks(database, DESKS);
    const startedAt = performance.now();
    await writeHistory(database, desks, size);
    const loadSeconds = (performance.now() - startedAt) / 1_000;
    const { conversations, messagesEach } = size;
    return withGateway({ engines, database }, async (gateway) => {
      const token = await signInAdministrator(gateway.port, database);
      const times: DashboardTimes[] = [];
      for (const period of DashboardPeriod.options) {
        const samples: number[] = [];
        for (let call = 0; call <= CALLS; call += 1)
          samples.push(
            (await timedGet(gateway, token, `/manage/dashboard?period=${period}&zone=${ZONE}`)).ms,
          );
        const [first = Number.NaN, ...later] = samples;
        times.push({ period, first, ms: spread(later) });
      }
      return { messages: conversations * messagesEach, conversations, loadSeconds, times };
    });
  });
}

/** Conversations per statement that writes messages. */
const SLICE = 2_000;
/** One in twenty is open. One in five of these waits for an answer. */
const OPEN_EVERY = 20;
const WAITING_EVERY = 100;

/** Months of a busy installation. */
async function writeHistory(
  database: BenchDatabase,
  desks: readonly string[],
  size: HistorySize,
): Promise<void> {
  await database.run(INVITES, [size.conversations + size.unopened, size.days, desks]);
  await database.run(CONVERSATIONS, [size.conversations, size.messagesEach]);
  const stored = await database.run<{ id: string }>('select id from conversations order by id');
  const ids = stored.map(({ id }) => id);
  await inSlices(database, ids, SLICE, (client, slice) => client.query(MESSAGES, [slice]));
  for (const count of [COUNTS, FIRST_REPLIES, 'select fold_figures(10000000)']) await database.run(count);
  await settle(
    database,
    '(truncate) figures_fresh',
    '(analyze) messages',
    '(analyze) conversations, invites, figures',
  );
}

/** Evenly distributed over the days. */
const INVITES = `
insert into invites (token_hash, label, handler_alias, state, created_at, expires_at, seen_at)
select sha256(n::text::bytea), 'Reading, no. ' || n, ($3::text[])[1 + abs(hashint4(n)) % cardinality($3::text[])], 'NEW',
  now() - make_interval(secs => $2 * 86400.0 * ($1 - n) / $1), now() + interval '30 days', null
from generate_series(1, $1::int) n`;

/** A conversation begins within hours of its invite. Its first answer follows within minutes. */
const CONVERSATIONS = `
with taken as (
  select id, handler_alias, created_at, row_number() over (order by created_at, id) as n
  from invites order by hashtext(id::text) limit $1
), bound as (
  update invites i set state = 'BOUND', seen_at = i.created_at, bound_at = i.created_at from taken where i.id = taken.id
)
insert into conversations (invite_id, handler_alias, visitor_id, visitor_name, status, created_at, closed_at,
  last_message_at, last_seq, preview, preview_from_owner, first_asked_at, first_replied_at, waiting_since)
select t.id, t.handler_alias, gen_random_uuid(), 'Visitor', case when open then 'open' else 'closed' end, at,
  case when not open then at + interval '2 hours' end, at + interval '1 hour', $2::int,
  'A word to end with', not waits, at, at + make_interval(secs => 10 + abs(hashtext(t.id::text)) % 1800),
  case when waits then at + interval '1 hour' end
from (
  select t.*, n % ${OPEN_EVERY} = 0 as open, n % ${WAITING_EVERY} = 0 as waits,
    least(now() - interval '1 hour', created_at + make_interval(secs => abs(hashtext(t.id::text)) % 20000)) as at
  from taken t
) t order by at`;

const MESSAGES = insertMessages(
  PLAIN_TEXT,
  'c.created_at + make_interval(secs => 3600.0 * (s.seq - 1) / c.last_seq)',
);

/** The triggers have counted invites and conversations. This adds the counts of append_messages. */
const COUNTS = `
insert into figures_fresh (quarter, visitors, replies)
select date_bin('15 minutes', created_at, 'epoch'), count(*) filter (where not from_owner), count(*) filter (where from_owner)
from messages group by 1`;
const FIRST_REPLIES = `
insert into figures_fresh (quarter, answered, waits)
select date_bin('15 minutes', c.first_replied_at, 'epoch'), 0, wait_entry(c.first_replied_at - c.first_asked_at, h.number)
from conversations c join handlers h on h.alias = c.handler_alias
union all
select date_bin('15 minutes', i.created_at, 'epoch'), 1, null from conversations c join invites i on i.id = c.invite_id`;

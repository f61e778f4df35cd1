import type { Dashboard, DashboardPeriod } from '@settee/protocol/model/dashboard';
import type pg from 'pg';

/** The figures again, from the base tables alone and in the simplest way. PostgreSQL decides what a day is. */

const DAYS: Record<DashboardPeriod, number> = { today: 1, '7days': 7, '30days': 30 };

type Asked = { period: DashboardPeriod; zone: string; now: Date };
type Moment = { at: Date; alias?: string };

/** The expected result of readDashboard, without names and the list of waiting conversations. */
export async function figuresByHand(db: pg.Pool | pg.Client, asked: Asked) {
  const times = await periodByHand(db, asked);
  const inSlots = (moments: Moment[]): Moment[][] =>
    times.slots.map(({ start, end }) => moments.filter(({ at }) => at >= start && at < end));
  const before = (moments: Moment[]) =>
    moments.filter(({ at }) => at >= times.beforeFrom && at < times.beforeUntil);
  const within = (moments: Moment[]) => moments.filter(({ at }) => at >= times.start && at < times.end);

  const messages = await rowsOf<Moment & { from_owner: boolean }>(
    db,
    'select created_at as at, from_owner from messages',
  );
  const visitors = messages.filter(({ from_owner }) => !from_owner);
  const replies = messages.filter(({ from_owner }) => from_owner);
  const conversations = await rowsOf<Moment>(db, 'select created_at as at from conversations');
  const firstReplies = await rowsOf<Moment & { ms: number }>(
    db,
    `select reply.created_at as at, (extract(epoch from reply.created_at - asked.created_at) * 1000)::float8 as ms, s.alias
     from conversations c
     join messages asked on asked.conversation_id = c.id
       and asked.seq = (select min(seq) from messages where conversation_id = c.id and not from_owner)
     join messages reply on reply.conversation_id = c.id
       and reply.seq = (select min(seq) from messages where conversation_id = c.id and from_owner and seq > asked.seq)
     join staff s on s.id = reply.author_id`,
  );
  const medianOf = (moments: Moment[]) =>
    middle(moments.map((moment) => (moment as { ms: number } & Moment).ms));
  const funnel = await rowsOf<Moment & { opened: boolean; started: boolean; replied: boolean }>(
    db,
    `select i.created_at as at, i.state <> 'NEW' as opened, c.id is not null as started,
       exists (
         select from messages a join messages r on r.conversation_id = a.conversation_id and r.seq > a.seq
         where a.conversation_id = c.id and not a.from_owner and r.from_owner
       ) as replied
     from invites i left join conversations c on c.invite_id = i.id`,
  );
  const [visitorsIn, repliesIn, conversationsIn, firstRepliesIn] = [
    visitors,
    replies,
    conversations,
    firstReplies,
  ].map(inSlots);
  const created = within(funnel) as typeof funnel;
  return {
    messages: {
      visitors: within(visitors).length,
      replies: within(replies).length,
      before: before(messages).length,
    },
    conversations: { count: within(conversations).length, before: before(conversations).length },
    firstReply: { medianMs: medianOf(within(firstReplies)), beforeMs: medianOf(before(firstReplies)) },
    slots: times.slots.map(({ start }, n) => ({
      start: start.getTime(),
      visitors: visitorsIn?.[n]?.length,
      replies: repliesIn?.[n]?.length,
      conversations: conversationsIn?.[n]?.length,
      firstReplyMs: medianOf(firstRepliesIn?.[n] ?? []),
    })),
    invites: {
      created: created.length,
      opened: created.filter(({ opened }) => opened).length,
      started: created.filter(({ started }) => started).length,
      replied: created.filter(({ replied }) => replied).length,
    },
    waiting: await waitingByHand(db),
    handlers: await handlersByHand(db, (alias) =>
      medianOf(within(firstReplies).filter((reply) => reply.alias === alias)),
    ),
  };
}

/** The same parts of the product's result. */
export function figuresOf(answer: Dashboard) {
  const { messages, conversations, firstReply, slots, invites, waiting, handlers } = answer;
  return {
    messages,
    conversations,
    firstReply,
    slots,
    invites,
    waiting: {
      count: waiting.count,
      longestSince: waiting.longestSince,
      ids: waiting.rows.map((row) => row.conversationId),
    },
    handlers: handlers.map(({ alias, open, firstReplyMs }) => ({ alias, open, firstReplyMs })),
  };
}

async function periodByHand(db: pg.Pool | pg.Client, { period, zone, now }: Asked) {
  const [edges] = await rowsOf<{ start: Date; end: Date; today: Date; beforeFrom: Date; dayBefore: Date }>(
    db,
    `with local as (select ($1::timestamptz at time zone $2)::date as today)
     select (today - $3::int + 1)::timestamp at time zone $2 as start, (today + 1)::timestamp at time zone $2 as end,
       today::timestamp at time zone $2 as today,
       (today - 2 * $3::int + 1)::timestamp at time zone $2 as "beforeFrom",
       (today - $3::int)::timestamp at time zone $2 as "dayBefore"
     from local`,
    [now, zone, DAYS[period]],
  );
  if (edges === undefined) throw new Error('no edges');
  const step = period === 'today' ? '1 hour' : '1 day';
  const slots = await rowsOf<{ start: Date; end: Date }>(
    db,
    period === 'today'
      ? `select s as start, least(s + interval '${step}', $2::timestamptz) as end
         from generate_series($1::timestamptz, $2::timestamptz - interval '1 second', interval '${step}') s`
      : `select s as start, s_end as end from (
           select d::timestamp at time zone $3 as s, (d + interval '${step}')::timestamp at time zone $3 as s_end
           from generate_series($1::timestamptz at time zone $3, ($2::timestamptz at time zone $3) - interval '1 second',
             interval '${step}') d
         ) days`,
    period === 'today' ? [edges.start, edges.end] : [edges.start, edges.end, zone],
  );
  const quarters = Math.floor((now.getTime() - edges.today.getTime()) / 900_000) + 1;
  return { ...edges, slots, beforeUntil: new Date(edges.dayBefore.getTime() + quarters * 900_000) };
}

/** Open conversations whose last message is from the visitor, since the first unanswered one. */
async function waitingByHand(db: pg.Pool | pg.Client) {
  const rows = await rowsOf<{ id: string; since: Date }>(
    db,
    `select c.id, (
       select min(m.created_at) from messages m where m.conversation_id = c.id and not m.from_owner and m.seq > coalesce(
         (select max(seq) from messages where conversation_id = c.id and from_owner), 0)
     ) as since
     from conversations c
     where c.status = 'open' and not (
       select from_owner from messages m where m.conversation_id = c.id order by seq desc limit 1
     )
     order by since, c.id`,
  );
  return {
    count: rows.length,
    longestSince: rows[0]?.since.getTime() ?? null,
    ids: rows.slice(0, 5).map(({ id }) => id),
  };
}

async function handlersByHand(db: pg.Pool | pg.Client, medianOf: (alias: string) => number | null) {
  const rows = await rowsOf<{ alias: string; open: number }>(
    db,
    `select s.alias, (select count(*)::int from conversations c where c.handler_alias = s.alias and c.status = 'open') as open
     from staff s where s.alias is not null group by s.alias order by open desc, s.alias`,
  );
  return rows.map(({ alias, open }) => ({ alias, open, firstReplyMs: medianOf(alias) }));
}

function middle(values: number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const both = sorted.slice(Math.floor((sorted.length - 1) / 2), Math.floor(sorted.length / 2) + 1);
  return both.length === 0 ? null : both.reduce((sum, value) => sum + value, 0) / both.length;
}

async function rowsOf<Row>(db: pg.Pool | pg.Client, query: string, values: unknown[] = []): Promise<Row[]> {
  return (await db.query(query, values)).rows as Row[];
}

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FreshDatabase } from '../../tools/freshDatabase.ts';
import { readDashboard } from '../src/db/dashboard/dashboard.ts';
import { OPEN } from '../src/db/dashboard/dashboardDesks.ts';
import { periodTimes } from '../src/db/dashboard/dashboardPeriod.ts';
import { periodQuery } from '../src/db/dashboard/figures.ts';
import { type Database, openDatabase } from '../src/db/engine/database.ts';
import { withClient } from '../src/db/engine/withClient.ts';
import { createTestDatabase } from './database.ts';

const ZONE = 'Europe/Berlin';
const CONVERSATIONS = 500;

let fresh: FreshDatabase;
let db: Database;
beforeAll(async () => {
  fresh = await createTestDatabase();
  db = openDatabase(fresh.url, 4);
  await db.pool.query("insert into handlers (alias) values ('desk')");
});
afterAll(async () => {
  await db.close();
  await fresh.drop();
});

/** Without the limit of 15 s for a gateway's statements. */
const asOwner = (statement: string, values?: unknown[]) =>
  withClient({ connectionString: fresh.ownerUrl }, (client) => client.query(statement, values));

/**
 * Adds this many messages to each conversation, counted as append_messages does. Conversations start on a quarter of an
 * hour, so their messages never reach into the next one: the number of figures does not depend on the time of day.
 */
async function write(messagesEach: number): Promise<void> {
  await asOwner('truncate messages, conversations, invites, figures, figures_fresh cascade');
  await asOwner(
    `with made as (
       insert into invites (token_hash, handler_alias, state, expires_at, bound_at, created_at)
       select sha256(n::text::bytea), 'desk', 'BOUND', now(), now(),
         date_bin('15 minutes', now(), 'epoch') - n * interval '2 hours'
       from generate_series(1, $1::int) n returning id, created_at
     ), talked as (
       insert into conversations (invite_id, handler_alias, visitor_id, status, closed_at, created_at, last_seq,
         waiting_since)
       select id, 'desk', gen_random_uuid(), case when n % 20 = 0 then 'open' else 'closed' end, now(), created_at, $2,
         created_at
       from (select *, row_number() over () as n from made) made returning id, created_at
     ), written as (
       insert into messages (conversation_id, seq, id, from_owner, author_id, created_at, text)
       select t.id, seq, gen_random_uuid(), seq % 2 = 0, t.id, t.created_at + seq * interval '1 second', 'a few words'
       from talked t cross join generate_series(1, $2::int) seq returning created_at, from_owner
     )
     insert into figures_fresh (quarter, visitors, replies)
     select date_bin('15 minutes', created_at, 'epoch'), count(*) filter (where not from_owner),
       count(*) filter (where from_owner) from written group by 1`,
    [CONVERSATIONS, messagesEach],
  );
  await asOwner('select fold_figures(1000000)');
  await asOwner('vacuum (analyze, truncate) conversations, invites, figures, figures_fresh');
}

type Plan = {
  'Relation Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
};

function tablesOf(plan: Plan): string[] {
  return [plan['Relation Name'] ?? [], (plan.Plans ?? []).map(tablesOf)].flat(2);
}

/** The pages that a month's figures touch, and the tables they belong to. */
async function cost(): Promise<{ pages: number; tables: string[] }> {
  const now = Date.now();
  const queries = [periodQuery(periodTimes('30days', ZONE, now)), { text: OPEN, values: [new Date(now)] }];
  const plans: Plan[] = [];
  for (const { text, values } of queries) {
    const { rows } = await db.pool.query(`explain (analyze, buffers, format json) ${text}`, values);
    plans.push(rows[0]['QUERY PLAN'][0].Plan as Plan);
  }
  const pages = plans.reduce((sum, plan) => sum + plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], 0);
  return { pages, tables: [...new Set(plans.flatMap(tablesOf))].toSorted() };
}

test('ten times as many messages cost the dashboard nothing: none of them is read', async () => {
  await write(20);
  const few = await cost();
  await write(200);
  const many = await cost();
  const month = await readDashboard(db, { period: '30days', zone: ZONE, now: Date.now() });
  expect(month.messages.visitors + month.messages.replies).toBeGreaterThan(50_000);
  expect(many.tables).toEqual(['conversations', 'figures', 'figures_fresh']);
  expect(many.pages).toBeLessThan(few.pages * 1.2);
});

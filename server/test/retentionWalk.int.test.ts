import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../src/db/engine/database.ts';
import { eraseExpired } from '../src/jobs/retention.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { writeConversations } from './writtenConversations.ts';

const MANY = 3_000;
const UNUSED = 4_000;

let server: TestServer;
let conversations: string[];
beforeAll(async () => {
  server = await startTestServer();
  conversations = await writeConversations(server, {
    alias: 'walked',
    conversations: MANY,
    messages: 0,
  });
  await query(
    `insert into invites (token_hash, label, handler_alias, expires_at)
     select sha256(n::text::bytea), 'Unused ' || n, 'walked', now() - interval '29 days' from generate_series(1, $1) n`,
    [UNUSED],
  );
  await query('update brand set keep_days = 30');
});
afterAll(() => server.close());

const query = (text: string, values: unknown[] = []) => server.app.db.pool.query(text, values);

/** The same database, with the statements that look for expired rows. */
function watched(): { db: Database; looked: string[] } {
  const { db } = server.app;
  const looked: string[] = [];
  return {
    looked,
    db: {
      ...db,
      query: (config) => {
        if (config.text.includes('ctid')) looked.push(`${config.text}\n${JSON.stringify(config.values)}`);
        return db.query(config);
      },
    },
  };
}

async function pagesOf(table: string): Promise<number> {
  const { rows } = await query(
    "select pg_relation_size($1::regclass) / current_setting('block_size')::int as pages",
    [table],
  );
  return Number(rows[0].pages);
}

test('[PRIVACY-12] a run finds every expired conversation and invite, and reads each table once', async () => {
  const old = conversations.filter((_, index) => index % 250 === 0 || index === MANY - 1);
  await query("update conversations set last_message_at = now() - interval '31 days' where id = any ($1)", [
    old,
  ]);
  await query(
    "update invites set expires_at = now() - interval '31 days' where label like 'Unused %' and substr(label, 8)::int % 10 = 0",
  );
  const steps = Math.ceil((await pagesOf('conversations')) / 64) + Math.ceil((await pagesOf('invites')) / 64);
  expect(steps).toBeGreaterThan(3);
  const { db, looked } = watched();
  expect(await eraseExpired({ db })).toEqual({ conversations: old.length, invites: UNUSED / 10 });
  expect(looked.length).toBeGreaterThanOrEqual(steps);
  // The erased conversations' invites change, so their table can grow by a step.
  expect(looked.length).toBeLessThanOrEqual(steps + 1);
  expect(new Set(looked).size).toBe(looked.length);
  const { rows } = await query('select count(*)::integer as left from conversations where id = any ($1)', [
    conversations,
  ]);
  expect(rows).toEqual([{ left: MANY - old.length }]);
  expect(await eraseExpired({ db })).toEqual({ conversations: 0, invites: 0 });
});

test('[PRIVACY-12] a step of the run reads only its pages of the table', async () => {
  await query('analyze conversations, invites');
  const { db, looked } = watched();
  await eraseExpired({ db });
  for (const statement of [looked.at(0), looked.at(-1)]) {
    const [text = '', values = '[]'] = statement?.split(/\n(?=\[)/) ?? [];
    const plan = await query(`explain ${text}`, JSON.parse(values));
    const steps = plan.rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(steps).toMatch(/Tid Range Scan/);
    expect(steps).not.toMatch(/Hash|Seq Scan on (invites|conversations)/);
  }
});

import { INVITE_COUNT_MAX } from '@settee/protocol/model/managedInvite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMigration } from '../../tools/migrations/read.ts';
import { MIGRATIONS_FOLDER } from '../src/db/engine/migrations.ts';
import { countInvites, mergeInviteCounts } from '../src/db/invite/inviteCounts.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { inParallel } from './inParallel.ts';
import { createStaff } from './people.ts';
import { seededRandom } from './seededRandom.ts';

const DESKS = ['mara-east', 'mara-west'];
const COUNT_ALL = `${MIGRATIONS_FOLDER}/20261118000021_count_all_invites.ts`;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  for (const desk of DESKS) await createStaff(server, desk);
});
afterAll(() => server.close());

const query = (text: string, values: unknown[] = []) => server.app.db.pool.query(text, values);

/** Counts what the list shows, without any kept count. */
async function countByHand(alias: string | undefined): Promise<Record<string, number>> {
  const { rows } = await query(
    `select case when state in ('NEW', 'SEEN') and expires_at <= now() then 'EXPIRED' else state end as listed,
       count(*)::integer as count
     from invites where $1::text is null or handler_alias = $1 group by 1`,
    [alias],
  );
  const counts: Record<string, number> = { NEW: 0, SEEN: 0, BOUND: 0, REVOKED: 0, EXPIRED: 0 };
  for (const { listed, count } of rows) counts[listed] = count;
  return counts;
}

async function expectCounted(when: string): Promise<void> {
  for (const alias of [undefined, ...DESKS]) {
    expect(await countInvites(server.app.db, { alias }), `${when}, ${alias ?? 'all desks'}`).toEqual(
      await countByHand(alias),
    );
  }
}

const INSERT = `insert into invites (token_hash, label, handler_alias, expires_at)
  select sha256(gen_random_uuid()::text::bytea), 'Lyon', $1, now() + $2 * interval '6 hours' + interval '10 minutes'
  from generate_series(1, 20)`;
/** Changes some rows, in a fixed order so that two of them never wait for each other. */
const change = (set: string, where = 'true') =>
  `update invites set ${set} where id = any (array(
     select id from invites where ${where} and get_byte(uuid_send(id), 0) % 16 = $1 order by id for update))`;
const CHANGES = [
  change("state = 'SEEN', seen_at = now()", "state = 'NEW'"),
  change("state = 'BOUND', bound_at = now()", "state in ('NEW', 'SEEN')"),
  change("state = 'REVOKED', revoked_at = now()", "state <> 'REVOKED'"),
  change("expires_at = expires_at + interval '2 days'"),
  change("expires_at = expires_at - interval '30 days'"),
  change("handler_alias = case handler_alias when 'mara-east' then 'mara-west' else 'mara-east' end"),
  change("label = 'Lyon again'"),
  `delete from invites where id = any (array(
     select id from invites where get_byte(uuid_send(id), 0) % 16 = $1 order by id for update))`,
];

async function changeMany(seed: number, meanwhile: (() => Promise<unknown>)[]): Promise<void> {
  const random = seededRandom(seed);
  const inserts = Array.from({ length: 30 }, () => {
    const [desk, quarter] = [DESKS[random.below(2)], random.below(40) - 20];
    return () => query(INSERT, [desk, quarter]);
  });
  const changes = Array.from({ length: 40 }, () => {
    const [text = '', part] = [CHANGES[random.below(CHANGES.length)], random.below(16)];
    return () => query(text, [part]);
  });
  const all = [...inserts, ...changes].map((work, at) => ({
    work,
    at: at < 10 ? at : 10 + random.below(60),
  }));
  const shuffled = all
    .toSorted((one, two) => one.at - two.at)
    .map(({ work }): (() => Promise<unknown>) => work);
  meanwhile.forEach((work, at) => void shuffled.splice(15 + at * 7, 0, work));
  await inParallel<unknown>(server, shuffled);
}

test('the kept counts of invites equal a count by hand, whatever changes at the same time', async () => {
  const merge = () => mergeInviteCounts(server.app.db);
  await changeMany(1, []);
  await expectCounted('after changes');
  await merge();
  await expectCounted('after a merge');
  await changeMany(2, [merge, merge, merge, merge]);
  await expectCounted('after changes during merges');
  const { rows } = await query('select count(*)::integer as invites from invites');
  expect(rows[0].invites).toBeGreaterThan(300);
});

test('merging leaves one row per desk, state and day, and one for all past days', async () => {
  await mergeInviteCounts(server.app.db);
  const { rows } = await query(
    `select count(*)::integer as rows, count(distinct (handler_alias, state, expires_on))::integer as keys,
       count(*) filter (where expires_on < now() - interval '3 days' and expires_on > '-infinity')::integer as past,
       count(*) filter (where count = 0)::integer as empty
     from invite_counts`,
  );
  expect(rows[0]).toMatchObject({ rows: rows[0].keys, past: 0, empty: 0 });
  expect(rows[0].rows).toBeGreaterThan(4);
});

test('[OPS-56] the migration counts existing invites while they change', async () => {
  const { calls } = await readMigration(COUNT_ALL);
  const count = () => server.asOwner(calls.at(-1) ?? '');
  await query(
    'insert into invite_counts select handler_alias, state, expires_on, count + 7 from invite_counts',
  );
  await changeMany(3, [count, count, count]);
  await expectCounted('after the migration');
});

test('a search counts up to a maximum', async () => {
  await query(
    `insert into invites (token_hash, label, handler_alias, expires_at)
     select sha256(n::text::bytea), 'Counted ' || n, 'mara-east', now() + interval '2 days'
     from generate_series(1, $1::integer) n`,
    [INVITE_COUNT_MAX + 5],
  );
  const some = await countInvites(server.app.db, { search: 'Counted 1234' });
  expect(some).toEqual({ NEW: 1, SEEN: 0, BOUND: 0, REVOKED: 0, EXPIRED: 0 });
  const capped = await countInvites(server.app.db, { search: 'counted' });
  expect(capped).toEqual({ NEW: INVITE_COUNT_MAX, SEEN: 0, BOUND: 0, REVOKED: 0, EXPIRED: 0 });
  await expectCounted('without a search');
});

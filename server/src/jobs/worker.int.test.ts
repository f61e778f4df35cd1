import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { DELETED_KEPT_DAYS } from '@settee/protocol/model/conversation';
import { Logger, makeWorkerUtils } from 'graphile-worker';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { soon } from '../../test/support/soon.ts';
import { purgeExpired } from '../erasure/expiry.store.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';
import { unlockLostJobs } from '../platform/db/workers.ts';

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));
const SECRET = 'a secret for tests, long enough to pass';
const quiet = new Logger(() => () => {});

let database: TestDatabase;
let db: Database;
beforeEach(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, 3);
  await db.pool.query(`
    insert into handlers (alias) values ('mara'), ('noor');
    insert into staff (id, email, name, password_hash)
      values ('00000000-0000-4000-8000-000000000001', 'a@settee.example', 'A', '-')`);
});
afterEach(async () => {
  await db.close();
});

/** Rows of every kind, ended and not ended. The names say which. */
async function insertRows(): Promise<void> {
  await db.pool.query(`
    insert into staff_sessions (token_hash, staff_id, expires_at, revoked_at)
    select word::bytea, '00000000-0000-4000-8000-000000000001', ends, revoked from (values
      ('ended long ago', now() - interval '90 days', null),
      ('ended now', now() - interval '1 second', null),
      ('ended and revoked', now() - interval '1 hour', now() - interval '2 hours'),
      ('alive', now() + interval '1 hour', null),
      ('revoked, not ended', now() + interval '1 hour', now())
    ) as row (word, ends, revoked);

    insert into presence (alias, gateway_id, expires_at) values
      ('mara', '00000000-0000-4000-8000-00000000000a', now() - interval '1 second'),
      ('mara', '00000000-0000-4000-8000-00000000000b', now() + interval '1 hour'),
      ('noor', '00000000-0000-4000-8000-00000000000a', now() - interval '1 day');

    insert into staff_presence (staff_id, gateway_id, expires_at) values
      ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-00000000000a', now() - interval '1 second'),
      ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-00000000000b', now() + interval '1 hour');

    insert into password_links (staff_id, token_hash, expires_at) values
      ('00000000-0000-4000-8000-000000000001', 'ended', now() - interval '1 second');

    insert into gateways (id, alone, expires_at) values
      ('00000000-0000-4000-8000-00000000000a', false, now() - interval '1 second'),
      ('00000000-0000-4000-8000-00000000000b', false, now() + interval '1 hour');

    insert into push_subscriptions (visitor_id, endpoint, p256dh, auth, refreshed_at) values
      (gen_random_uuid(), 'forgotten', '', '', now() - interval '61 days'),
      (gen_random_uuid(), 'in use', '', '', now() - interval '59 days');

    insert into deleted_conversations (conversation_id, handler_alias, deleted_by, deleted_at) values
      (gen_random_uuid(), 'forgotten', 'visitor', now() - interval '${DELETED_KEPT_DAYS + 1} days'),
      (gen_random_uuid(), 'listed', 'visitor', now() - interval '${DELETED_KEPT_DAYS - 1} days');

    insert into rate_limits (key, points, expire)
    select word, 1, (extract(epoch from ends) * 1000)::bigint from (values
      ('ended long ago', now() - interval '2 days'),
      ('ended', now() - interval '61 minutes'),
      ('ended by this clock only', now() - interval '59 minutes'),
      ('counts', now() + interval '10 minutes'),
      ('has no end', null)
    ) as row (word, ends)`);
}

async function rowsLeft() {
  const column = async (query: string) =>
    (await db.pool.query<{ word: string }>(query)).rows.map((row) => row.word);
  return {
    sessions: await column(
      `select convert_from(token_hash, 'UTF8') as word from staff_sessions order by word`,
    ),
    presence: await column(
      `select alias || ' ' || right(gateway_id::text, 1) as word from presence order by word`,
    ),
    gateways: await column(`select right(id::text, 1) as word from gateways order by word`),
    endpoints: await column('select endpoint as word from push_subscriptions order by word'),
    deleted: await column('select handler_alias as word from deleted_conversations order by word'),
    limits: await column(`select key as word from rate_limits order by word`),
  };
}

const ALIVE = {
  sessions: ['alive', 'revoked, not ended'],
  presence: ['mara b'],
  gateways: ['b'],
  endpoints: ['in use'],
  deleted: ['listed'],
  limits: ['counts', 'ended by this clock only', 'has no end'],
};

async function addPurge(): Promise<void> {
  const utils = await makeWorkerUtils({ pgPool: db.pool, logger: quiet });
  await utils.addJob('purgeExpired', {});
  await utils.release();
}

async function jobsLeft(): Promise<number> {
  const { rows } = await db.pool.query<{ jobs: number }>(
    'select count(*)::int as jobs from graphile_worker.jobs',
  );
  return rows[0]?.jobs ?? -1;
}

test('the purge continues in batches until nothing is left, and reports the count', async () => {
  await insertRows();
  expect(await purgeExpired(db, 1)).toEqual({
    staff_sessions: 3,
    spent_tickets: 0,
    presence: 2,
    staff_presence: 1,
    password_links: 1,
    gateways: 1,
    push_subscriptions: 1,
    deleted_conversations: 1,
    visitor_mails: 0,
    mail_figures: 0,
    webhook_deliveries: 0,
    rate_limits: 2,
  });
  expect(await rowsLeft()).toEqual(ALIVE);
});

test('the process schedules and runs jobs, and stops cleanly', async () => {
  await insertRows();
  // The minimum number of connections: the listening one must not starve the jobs.
  const worker = spawn(process.execPath, [WORKER], {
    env: { DATABASE_URL: database.url, SECRET, DATABASE_CONNECTIONS: '1', LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(worker, 'close');
  const lines: string[] = [];
  createInterface(worker.stdout).on('line', (line) => lines.push(line));
  createInterface(worker.stderr).on('line', (line) => lines.push(`stderr: ${line}`));
  const events = () => lines.map((line) => (line.startsWith('{') ? JSON.parse(line).msg : line));
  try {
    await vi.waitFor(() => expect(events()).toContain('working'), soon);
    await addPurge();
    await vi.waitFor(async () => expect(await jobsLeft()).toBe(0), soon);
    expect(await rowsLeft()).toEqual(ALIVE);
    const known = 'select identifier from graphile_worker._private_known_crontabs';
    const names = (await db.pool.query<{ identifier: string }>(known)).rows.map((row) => row.identifier);
    expect(names).toEqual(expect.arrayContaining(['purgeExpired', 'endBlocks', 'sweepMedia']));
  } finally {
    worker.kill('SIGTERM');
  }
  expect(await ended).toEqual([0, null]);
  // On the hour it also purges by itself, perhaps before it says that it works.
  expect(new Set(events())).toEqual(
    new Set(['image process', 'working', 'expired rows deleted', 'stopping']),
  );
});

test('jobs of lost workers run again, also under names that no living worker wrote', async () => {
  const utils = await makeWorkerUtils({ pgPool: db.pool, logger: quiet });
  await utils.migrate();
  const locks = { alive: '1 hour', lost: '1 second', unnamed: '3 minutes', new: '1 minute' };
  for (const [name, age] of Object.entries(locks)) {
    const { id } = await utils.addJob('purgeExpired', {});
    await db.pool.query(
      `update graphile_worker._private_jobs set locked_by = $2, locked_at = now() - $3::interval where id = $1`,
      [id, name, age],
    );
  }
  await utils.release();
  // The last one is of release 0.2.0.
  await db.pool.query(`
    insert into workers (id, pools, knows_profiles, seen_at) values
      (gen_random_uuid(), '{alive}', true, now()),
      (gen_random_uuid(), '{lost}', true, now() - interval '41 seconds'),
      (gen_random_uuid(), default, default, now() - interval '80 seconds')`);
  const locked = async () => {
    const query = 'select locked_by from graphile_worker.jobs where locked_by is not null order by locked_by';
    return (await db.pool.query(query)).rows.map((row) => row.locked_by);
  };
  expect(await unlockLostJobs(db)).toBe(1);
  expect(await locked()).toEqual(['alive', 'new', 'unnamed']);
  await db.pool.query(`update workers set seen_at = now() - interval '91 seconds' where pools = '{}'`);
  expect(await unlockLostJobs(db)).toBe(1);
  expect(await locked()).toEqual(['alive', 'new']);
  expect(await unlockLostJobs(db)).toBe(0);
});

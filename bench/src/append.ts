import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { APPEND_SESSION } from '../../server/src/db/message/appendCall.ts';
import { seedConversations } from './people.ts';
import type { BenchDatabase } from './stage.ts';
import { TEXT } from './text.ts';

const run = promisify(execFile);

const CONVERSATIONS = 1_000;
const BATCH = 64;
const BATCHES = 500;

/** Messages per second of PostgreSQL alone, called by pgbench. */
export type Bare = { singly: number; batched: number };

export const PGBENCH_MISSING =
  'pgbench is not here, so there is nothing to compare with. It comes with PostgreSQL: apt install postgresql-contrib, brew install postgresql, or name it in PGBENCH.';

export async function findPgbench(): Promise<string | undefined> {
  const program = process.env.PGBENCH ?? 'pgbench';
  return run(program, ['--version']).then(
    () => program,
    () => undefined,
  );
}

/** Puts the arguments of the append function into a table, so that pgbench only reads a row by its key. */
export async function prepareArguments(database: BenchDatabase, desks: readonly string[]): Promise<void> {
  await seedConversations(database, desks, Array<number>(CONVERSATIONS).fill(0));
  await database.run(
    `create table bench_senders as
     select row_number() over () - 1 as n, conversation_id, visitor_id from devices limit ${CONVERSATIONS}`,
  );
  for (const [table, rows, size] of [
    ['bench_single', CONVERSATIONS, 1],
    ['bench_batch', BATCHES, BATCH],
  ] as const) {
    await database.run(
      `create table ${table} as
       select b.n, array_agg(s.conversation_id) as conversations, array_agg(s.visitor_id) as authors,
         array_agg(false) as from_owner, array_agg(null::text) as aliases, array_agg('${TEXT}'::text) as texts
       from generate_series(1, ${rows}) b (n)
       cross join generate_series(1, ${size}) i (n)
       join bench_senders s on s.n = (b.n * ${size} + i.n * 7) % ${CONVERSATIONS}
       group by b.n`,
    );
    await database.run(`alter table ${table} add primary key (n)`);
    await database.run(`vacuum analyze ${table}`);
  }
  await database.run('vacuum analyze conversations, devices');
}

export async function measureAppend(
  pgbench: string,
  database: BenchDatabase,
  seconds: number,
): Promise<Bare> {
  const singly = await call(pgbench, database, seconds, {
    table: 'bench_single',
    rows: CONVERSATIONS,
    ids: 'array[gen_random_uuid()]',
    clients: 8,
  });
  const batches = await call(pgbench, database, seconds, {
    table: 'bench_batch',
    rows: BATCHES,
    ids: `array(select gen_random_uuid() from generate_series(1, ${BATCH}))`,
    clients: 2,
  });
  return { singly, batched: batches * BATCH };
}

/** Calls per second. */
async function call(
  pgbench: string,
  database: BenchDatabase,
  seconds: number,
  what: { table: string; rows: number; ids: string; clients: number },
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'settee-bench-'));
  const script = join(folder, 'append.sql');
  await writeFile(
    script,
    `\\set n random(1, ${what.rows})
select a.item, a.outcome, a.seq, a.created_ms, a.unread, a.handler_alias, a.rev, a.picture
from ${what.table} b, append_messages(b.conversations, ${what.ids}, b.from_owner, b.authors, b.aliases, b.texts, null, null, false) a
where b.n = :n;
`,
  );
  const { hostname, port, username, password, pathname } = new URL(database.url);
  const threads = Math.min(2, what.clients, availableParallelism());
  const args = ['-n', '-M', 'prepared', '-c', what.clients, '-j', threads, '-T', seconds, '-f', script];
  try {
    const { stdout } = await run(pgbench, args.map(String), {
      env: {
        PATH: process.env.PATH,
        PGHOST: hostname,
        PGPORT: port,
        PGUSER: decodeURIComponent(username),
        PGPASSWORD: decodeURIComponent(password),
        PGDATABASE: pathname.slice(1),
        PGOPTIONS: APPEND_SESSION,
      },
    });
    const rate = /^tps = ([\d.]+)/m.exec(stdout)?.[1];
    if (rate === undefined) throw new Error(`pgbench printed:\n${stdout}`);
    return Number(rate);
  } finally {
    await rm(folder, { recursive: true });
  }
}

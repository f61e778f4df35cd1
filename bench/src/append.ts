import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { APPEND_SESSION } from '../../server/src/db/message/appendCall.ts';
import { cpuOfFamily } from './cpu.ts';
import { createMinimalTables, MINIMAL_BATCH, MINIMAL_SINGLE } from './minimal.ts';
import { seedConversations } from './people.ts';
import { type Spread, spread } from './percentile.ts';
import type { BenchDatabase, Engines } from './stage.ts';
import { TEXT } from './text.ts';

const run = promisify(execFile);

const CONVERSATIONS = 1_000;
const BATCH = 64;
const BATCHES = 500;

/** PostgreSQL alone, called by pgbench: messages per second, and microseconds of its CPU time per message. */
export type Sample = { rate: number; cpu: number };
/**
 * a is the append function with one message per commit, b with 64. a0 and b0 are the minimal statements for the same
 * work.
 */
export type Bare = Record<'a0' | 'a' | 'b0' | 'b', Sample>;

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
  await createMinimalTables(database);
  await database.run(
    `grant select, insert, update on bench_single, bench_batch, minimal_heads, minimal_messages
     to ${decodeURIComponent(new URL(database.url).username)}`,
  );
  await database.run('vacuum analyze conversations, devices');
}

const SINGLE = { rows: CONVERSATIONS, size: 1, clients: 8 };
const BATCHED = { rows: BATCHES, size: BATCH, clients: 2 };

/** One round: each for the same time, in turn. */
export async function measureAppend(
  pgbench: string,
  database: BenchDatabase,
  engines: Engines,
  seconds: number,
): Promise<Bare> {
  const sample = async (statement: string, load: typeof SINGLE): Promise<Sample> => {
    const before = cpuOfFamily(engines.pids.postgres);
    const { tps } = await callPgbench(pgbench, database, { statement, ...load }, ['-T', String(seconds)]);
    const messages = tps * seconds * load.size;
    return { rate: tps * load.size, cpu: (cpuOfFamily(engines.pids.postgres) - before) / messages };
  };
  return {
    a0: await sample(MINIMAL_SINGLE, SINGLE),
    a: await sample(appendStatement('bench_single', 'array[gen_random_uuid()]'), SINGLE),
    b0: await sample(MINIMAL_BATCH, BATCHED),
    b: await sample(
      appendStatement('bench_batch', `array(select gen_random_uuid() from generate_series(1, ${BATCH}))`),
      BATCHED,
    ),
  };
}

/** Milliseconds since a minimal commit was due, and microseconds of PostgreSQL's CPU time for it. */
export type Commit = Spread & { cpu: number };

/** Minimal commits at a fixed rate. */
export async function measureCommit(
  pgbench: string,
  database: BenchDatabase,
  engines: Engines,
  { rate, seconds }: { rate: number; seconds: number },
): Promise<Commit> {
  const before = cpuOfFamily(engines.pids.postgres);
  const { latencies } = await callPgbench(pgbench, database, { statement: MINIMAL_SINGLE, ...SINGLE }, [
    ...['-T', String(seconds)],
    ...['-R', String(rate)],
    '--log',
  ]);
  return { ...spread(latencies), cpu: (cpuOfFamily(engines.pids.postgres) - before) / latencies.length };
}

function appendStatement(table: string, ids: string): string {
  return `select a.item, a.outcome, a.seq, a.created_ms, a.unread, a.handler_alias, a.rev, a.picture
    from ${table} b,
      append_messages(b.conversations, ${ids}, b.from_owner, b.authors, b.aliases, b.texts, null, null, false) a
    where b.n = :n;`;
}

async function callPgbench(
  pgbench: string,
  database: BenchDatabase,
  load: { statement: string; rows: number; clients: number },
  options: readonly string[],
): Promise<{ tps: number; latencies: number[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'settee-bench-'));
  const script = join(folder, 'script.sql');
  await writeFile(script, `\\set n random(1, ${load.rows})\n${load.statement}\n`);
  const { hostname, port, username, password, pathname } = new URL(database.url);
  const threads = Math.min(2, load.clients, availableParallelism());
  const args = ['-n', '-M', 'prepared', '-c', load.clients, '-j', threads, '-f', script, ...options];
  try {
    const { stdout } = await run(pgbench, args.map(String), {
      cwd: folder,
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
    const tps = /^tps = ([\d.]+)/m.exec(stdout)?.[1];
    if (tps === undefined) throw new Error(`pgbench printed:\n${stdout}`);
    return { tps: Number(tps), latencies: await readLatencies(folder) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The third field of a line in the log of pgbench: microseconds since the transaction was due. */
async function readLatencies(folder: string): Promise<number[]> {
  const files = (await readdir(folder)).filter((name) => name.startsWith('pgbench_log.'));
  const logs = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  return logs.flatMap((log) =>
    log
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => Number(line.split(' ')[2]) / 1_000),
  );
}

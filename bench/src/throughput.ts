import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { APPEND_SESSION } from '../../server/testing/installation.ts';
import { TEXT } from './chat.ts';
import {
  Path,
  type PathOptions,
  type PathRound,
  type PathStep,
  type Reporter,
  type Stage,
  sustainedRate,
} from './path.ts';
import { seedConversations } from './people.ts';
import { type Spread, spread } from './percentile.ts';
import { cpuOfFamily } from './processes.ts';
import type { BenchDatabase } from './stage.ts';

const run = promisify(execFile);

const PGBENCH = process.env.PGBENCH ?? 'pgbench';
const CONVERSATIONS = 1_000;
const BATCH = 64;
const BATCHES = 500;

/** PostgreSQL alone, called by pgbench: messages per second, and microseconds of its CPU time per message. */
type Sample = { rate: number; cpu: number };
/**
 * a is the append function with one message per commit, b with 64. a0 and b0 are the minimal statements for the same
 * work.
 */
type Bare = Record<'a0' | 'a' | 'b0' | 'b', Sample>;
/** Milliseconds since a minimal commit was due, and microseconds of PostgreSQL's CPU time for it. */
type Commit = Spread & { cpu: number };

/** The rate of a large installation in a busy minute. */
const CALM_RATE = 1_000;
/** Later rounds begin at this share of the best rate so far. */
const RESUME = 0.6;

/** Everything that is compared with each other, measured within the same minutes. */
export type Round = {
  bare?: Bare;
  /** Minimal commits at the calm rate. */
  commit?: Commit;
  /** The whole product at the calm rate. */
  calm?: PathStep;
  path?: PathRound;
};

type Size = { rounds: number; appendSeconds: number; path: PathOptions };

/**
 * PostgreSQL alone and the whole product in turn, because the machine's speed changes from minute to minute. Nobody
 * watches the desks of pgbench (`unwatched`): the gateway would index its messages during the next measurement.
 */
export async function measureThroughput(
  parts: { append: boolean; path: boolean },
  stage: Stage & { unwatched: string[] },
  size: Size,
  report: Reporter,
): Promise<Round[]> {
  const { database, unwatched } = stage;
  const bare = parts.append && (await hasPgbench());
  if (parts.append && !bare) report.note(PGBENCH_MISSING);
  if (bare) await prepareArguments(database, unwatched);
  const path = parts.path ? await Path.open(stage, { ...size.path, onStep: report.step }) : undefined;
  const rounds: Round[] = [];
  let best = 0;
  try {
    for (let turn = 1; turn <= size.rounds; turn += 1) {
      report.log(`round ${turn} of ${size.rounds}`);
      const round: Round = {};
      rounds.push(round);
      if (bare) {
        round.bare = await measureAppend(stage, size.appendSeconds);
        round.commit = await measureCommit(stage, size.appendSeconds);
      }
      // Otherwise autovacuum would do it during the next measurement.
      await database.run('vacuum (analyze) messages, conversations, figures_fresh, search_heads');
      if (bare) await database.run('vacuum (analyze) minimal_messages, minimal_heads');
      if (path === undefined) continue;
      round.calm = await path.attempt(CALM_RATE);
      round.path = await path.climb(RESUME * best);
      if (round.path.best !== undefined) best = Math.max(best, sustainedRate(round.path.best));
    }
  } finally {
    await path?.close();
  }
  return rounds;
}

const PGBENCH_MISSING =
  'pgbench is not here, so there is nothing to compare with. It comes with PostgreSQL: apt install postgresql-contrib, brew install postgresql, or name it in PGBENCH.';

function hasPgbench(): Promise<boolean> {
  return run(PGBENCH, ['--version']).then(
    () => true,
    () => false,
  );
}

/** Puts the arguments of the append function into a table, so that pgbench only reads a row by its key. */
async function prepareArguments(database: BenchDatabase, desks: readonly string[]): Promise<void> {
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
async function measureAppend({ engines, database }: Stage, seconds: number): Promise<Bare> {
  const sample = async (statement: string, load: typeof SINGLE): Promise<Sample> => {
    const before = cpuOfFamily(engines.pids.postgres);
    const { tps } = await callPgbench(database, { statement, ...load }, ['-T', String(seconds)]);
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

/** Minimal commits at the calm rate. */
async function measureCommit({ engines, database }: Stage, seconds: number): Promise<Commit> {
  const before = cpuOfFamily(engines.pids.postgres);
  const { latencies } = await callPgbench(database, { statement: MINIMAL_SINGLE, ...SINGLE }, [
    ...['-T', String(seconds)],
    ...['-R', String(CALM_RATE)],
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
    const { stdout } = await run(PGBENCH, args.map(String), {
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

/**
 * The least that PostgreSQL must do for a numbered message: update one row, insert one row with the same two unique
 * indexes in as many partitions. The limits compare with this, not with our own function.
 */
async function createMinimalTables(database: BenchDatabase): Promise<void> {
  await database.run(`
    create table minimal_heads (
      id uuid primary key, last_seq integer not null, last_message_at timestamptz not null
    ) with (fillfactor = 60);
    create table minimal_messages (
      conversation_id uuid not null, seq integer not null, id uuid not null, from_owner boolean not null,
      author_id uuid not null, created_at timestamptz not null, text text not null,
      primary key (conversation_id, seq), unique (conversation_id, id)
    ) partition by hash (conversation_id);
    do $$ begin
      for part in 0..31 loop
        execute format(
          'create table minimal_messages_%s partition of minimal_messages for values with (modulus 32, remainder %s)',
          part, part
        );
      end loop;
    end $$;
    insert into minimal_heads select conversation_id, 0, now() from bench_senders`);
  await database.run('vacuum analyze minimal_heads');
}

/** One message per commit. `:n` is a row of bench_single. */
const MINIMAL_SINGLE = `
  with given as (
    select b.conversations[1] as conversation_id, b.authors[1] as author_id, b.texts[1] as text
    from bench_single b where b.n = :n
  ),
  moved as (
    update minimal_heads h set last_seq = h.last_seq + 1, last_message_at = clock_timestamp()
    from given g where h.id = g.conversation_id
    returning h.id, h.last_seq, h.last_message_at, g.author_id, g.text
  )
  insert into minimal_messages
  select m.id, m.last_seq, gen_random_uuid(), false, m.author_id, m.last_message_at, m.text from moved m
  returning seq, created_at;`;

/** All messages of a row of bench_batch in one commit. */
const MINIMAL_BATCH = `
  with given as materialized (
    select i.*, row_number() over (partition by i.conversation_id order by i.item) as place
    from bench_batch b, unnest(b.conversations, b.authors, b.texts) with ordinality
      as i (conversation_id, author_id, text, item)
    where b.n = :n
  ),
  moved as (
    update minimal_heads h set last_seq = h.last_seq + g.count, last_message_at = clock_timestamp()
    from (select g.conversation_id, count(*) from given g group by g.conversation_id) g
    where h.id = g.conversation_id
    returning h.id, h.last_seq - g.count as before, h.last_message_at
  )
  insert into minimal_messages
  select m.id, m.before + g.place, gen_random_uuid(), false, g.author_id, m.last_message_at, g.text
  from moved m join given g on g.conversation_id = m.id
  returning seq, created_at;`;

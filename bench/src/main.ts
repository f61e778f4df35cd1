// `npm run bench`: compares the whole product with its engines alone, on one machine, in one run.
import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { measureBackup } from './backup.ts';
import { measureDashboard } from './dashboard.ts';
import { measureData } from './data.ts';
import { measureGateways } from './gateways.ts';
import { measureHold, measureMemory } from './memory.ts';
import { measureOpen } from './open.ts';
import { measureOverload } from './overload.ts';
import type { PathOptions, Reporter } from './path.ts';
import { seedDesks } from './people.ts';
import { evaluate, type Measured, type Results, report, spreadsOf, stepHead, stepLine } from './report.ts';
import { openStage } from './stage.ts';
import { measureStorage, measureWal } from './storage.ts';
import { measureThroughput } from './throughput.ts';

/** What `--only` chooses from. */
const PARTS = 'append path gateways overload memory hold storage wal open dashboard data backup'.split(' ');

const HELP = `npm run bench [-- --quick] [--only part,part] [--json FILE] [--record] [--rates n,n] [--profile FOLDER]

  --quick    short steps and small tables, in under 90 seconds
  --only     some of ${PARTS.join(', ')}
  --json     write all figures to this file
  --record   write them to bench/measured.json, if the rounds differ little
  --rates    messages a second to try, in place of the usual ones
  --profile  let the gateway of the path write a CPU profile into this folder

Ends with 1 when a ratio is not met. Figures mean something only on a machine that does nothing else.
`;

const FULL = {
  rounds: 3,
  appendSeconds: 10,
  path: {
    rates: [5_000, 7_500, 10_000, 12_500, 15_000, 17_500, 20_000, 25_000, 30_000, 40_000],
    warmSeconds: 2,
    seconds: 8,
    refinements: 2,
  },
  overloadSeconds: 8,
  sockets: 12_000,
  hold: { sockets: 100_000, seconds: 600 },
  conversations: 2_000,
  walSeconds: 600,
  open: { big: 10_000_000, opened: 1_000 },
  dashboard: { conversations: 500_000, messagesEach: 20, unopened: 100_000, days: 90 },
  data: { desks: 200, openAtLargest: 5_000, openAtOthers: 25, small: 30_000, big: 300_000, times: 200 },
  backup: 1_000_000,
};
const QUICK: typeof FULL = {
  rounds: 1,
  appendSeconds: 3,
  path: { rates: [2_500, 5_000, 7_500, 10_000, 15_000], warmSeconds: 1.5, seconds: 3, refinements: 1 },
  overloadSeconds: 4,
  sockets: 3_000,
  hold: { sockets: 3_000, seconds: 60 },
  conversations: 200,
  walSeconds: 30,
  open: { big: 300_000, opened: 500 },
  dashboard: { conversations: 10_000, messagesEach: 20, unopened: 2_000, days: 90 },
  data: { desks: 20, openAtLargest: 200, openAtOthers: 10, small: 1_000, big: 10_000, times: 30 },
  backup: 50_000,
};
/** For each of two purposes: the desks that consoles watch, and those of the messages that pgbench stores. */
const DESKS = 20;
const MEASURED = new URL('../measured.json', import.meta.url);
/** The largest difference between rounds, as a share of the median, in figures worth keeping. */
const SPREAD_MAX = 0.3;
/** Without a measured path: a rate that most machines sustain. */
const OVERLOAD_RATE = 7_500;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      json: { type: 'string' },
      record: { type: 'boolean', default: false },
      rates: { type: 'string' },
      profile: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const size = values.quick ? QUICK : FULL;
  const path: PathOptions = {
    ...size.path,
    ...(values.rates !== undefined && { rates: values.rates.split(',').map(Number), refinements: 0 }),
    ...(values.profile !== undefined && { nodeFlags: ['--cpu-prof', '--cpu-prof-dir', values.profile] }),
  };
  const results = await measure(chosen(values.only), { ...size, path, quick: values.quick });
  console.log(`\n${report(results)}`);
  const verdicts = evaluate(results);
  const figures = `${JSON.stringify({ ...results, verdicts }, undefined, 2)}\n`;
  if (values.json !== undefined) writeFileSync(values.json, figures);
  if (values.record) record(results, figures);
  return verdicts.every(({ met }) => met) ? 0 : 1;
}

function record({ rounds = [] }: Results, figures: string): void {
  const unsteady = spreadsOf(rounds).filter(({ spread }) => spread > SPREAD_MAX);
  if (rounds.length < 3) log('not recorded: fewer than three rounds');
  else if (unsteady.length > 0)
    log(`not recorded: the rounds differ too much (${unsteady.map(({ what }) => what).join(', ')})`);
  else writeFileSync(MEASURED, figures);
}

function chosen(only: string | undefined): Set<string> {
  if (only === undefined) return new Set(PARTS);
  const names = only.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !PARTS.includes(name));
  if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}.\n\n${HELP}`);
  return new Set(names);
}

async function measure(
  parts: Set<string>,
  size: typeof FULL & { path: PathOptions; quick: boolean },
): Promise<Results> {
  log('starting the engines');
  const engines = await openStage();
  const results: Results = {
    measuredOn: new Date().toISOString().slice(0, 10),
    machine: machine(engines.postgresVersion),
    quick: size.quick,
    notes: [],
  };
  const reporter: Reporter = {
    log,
    step: (step) => console.log(stepLine(step)),
    note: (note) => void results.notes.push(note),
  };
  const run = async <K extends keyof Measured>(
    part: K,
    what: string,
    work: () => Promise<Measured[K]>,
  ): Promise<void> => {
    if (!parts.has(part)) return;
    log(`${part}: ${what}`);
    const measured: Partial<Measured> = results;
    measured[part] = await work();
  };
  try {
    await engines.withDatabase(async (database) => {
      const all = await seedDesks(database, 2 * DESKS);
      const stage = { engines, database, desks: all.slice(0, DESKS), unwatched: all.slice(DESKS) };
      if (parts.has('append') || parts.has('path')) {
        console.log(stepHead);
        const compared = { append: parts.has('append'), path: parts.has('path') };
        results.rounds = await measureThroughput(compared, stage, size, reporter);
      }
      const best = spreadsOf(results.rounds ?? []).find(({ what }) => what === 'c')?.median;
      const sustainable = best ?? OVERLOAD_RATE;
      await run('overload', `two and three times ${Math.round(sustainable)} messages a second`, () =>
        measureOverload(stage, { sustainable, seconds: size.overloadSeconds }),
      );
      await run('memory', `${size.sockets} sockets`, () => measureMemory(stage, size.sockets));
      await run('hold', `${size.hold.sockets} sockets for ${size.hold.seconds} s`, () =>
        measureHold(stage, size.hold),
      );
    });
    await run('gateways', `one, and two on one port\n${stepHead}`, () =>
      measureGateways(engines, size, reporter),
    );
    await run('storage', 'bytes per message on disk', () => measureStorage(engines, size.conversations));
    await run('wal', `${size.walSeconds} s of few messages`, () => measureWal(engines, size.walSeconds));
    await run('open', `storing ${size.open.big} messages takes a while`, () =>
      measureOpen(engines, size.open),
    );
    const { conversations, messagesEach } = size.dashboard;
    await run('dashboard', `storing ${conversations * messagesEach} messages takes a while`, () =>
      measureDashboard(engines, size.dashboard),
    );
    await run('data', `storing ${size.data.big} conversations takes a while`, () =>
      measureData(engines, size.data),
    );
    await run('backup', `${size.backup} messages`, () => measureBackup(engines, size.backup));
    return results;
  } finally {
    await engines.stop();
  }
}

function machine(postgres: string): Results['machine'] {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? 'unknown processor',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
    postgres,
  };
}

function log(line: string): void {
  console.log(`· ${line}`);
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error);
  process.exitCode = 2;
}

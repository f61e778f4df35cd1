// `npm run bench`: compares the whole product with its engines alone, on one machine, in one run.
import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { RELEASE } from '../../server/src/config/release.ts';
import { measureBackup } from './backup.ts';
import { measureDashboard } from './dashboard.ts';
import { measureData } from './data.ts';
import { measureGateways } from './gateways.ts';
import { measureHold } from './hold.ts';
import { measureMemory } from './memory.ts';
import { measureOpen } from './open.ts';
import { measureOverload } from './overload.ts';
import type { PathOptions, PathStep } from './path.ts';
import { measurePeers, type PeersSize } from './peers/peers.ts';
import { peersReport } from './peers/report.ts';
import { seedDesks } from './people.ts';
import { evaluate, machineLine, type Results, report, spreadsOf, stepHead, stepLine } from './report.ts';
import { openStage } from './stage.ts';
import { measureStorage } from './storage.ts';
import { measureThroughput } from './throughput.ts';
import { measureWal } from './wal.ts';

const PARTS = [
  'append',
  'path',
  'gateways',
  'overload',
  'memory',
  'hold',
  'storage',
  'wal',
  'open',
  'dashboard',
  'data',
  'backup',
] as const;
type Part = (typeof PARTS)[number];

const HELP = `npm run bench [-- --quick] [--only part,part] [--json FILE] [--record] [--rates n,n] [--profile FOLDER]
npm run bench -- --peers [--quick] [--json FILE]

  --quick    short steps and small tables, in under 90 seconds
  --only     some of ${PARTS.join(', ')}
  --json     write all figures to this file
  --record   write them to bench/measured.json, if the rounds differ little
  --rates    messages a second to try, in place of the usual ones
  --profile  let the gateway of the path write a CPU profile into this folder
  --peers    measure other products instead, in turn with Settee; about 25 minutes

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
  storage: { conversations: 2_000 },
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
  storage: { conversations: 200 },
  walSeconds: 30,
  open: { big: 300_000, opened: 500 },
  dashboard: { conversations: 10_000, messagesEach: 20, unopened: 2_000, days: 90 },
  data: { desks: 20, openAtLargest: 200, openAtOthers: 10, small: 1_000, big: 10_000, times: 30 },
  backup: 50_000,
};
const PEERS_FULL: PeersSize = {
  rounds: 3,
  climb: { warmSeconds: 1.5, seconds: 5 },
  sustained: { warmSeconds: 3, seconds: 60 },
  idle: 3_000,
};
const PEERS_QUICK: PeersSize = {
  rounds: 1,
  climb: { warmSeconds: 1, seconds: 3 },
  sustained: { warmSeconds: 2, seconds: 6 },
  idle: 500,
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
      peers: { type: 'boolean', default: false },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  if (values.peers) return compare(values.quick, values.json);
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

async function compare(quick: boolean, json: string | undefined): Promise<number> {
  const engines = await openStage();
  try {
    console.log(stepHead);
    const measured = await measurePeers(engines, RELEASE, quick ? PEERS_QUICK : PEERS_FULL, {
      log,
      step: (step) => console.log(stepLine(step)),
    });
    const on = machine(engines.postgresVersion);
    console.log(`\n${machineLine(on)}\n\n${peersReport(measured)}`);
    if (json !== undefined)
      writeFileSync(json, `${JSON.stringify({ machine: on, ...measured }, undefined, 2)}\n`);
    return measured.products.every(({ faults }) => faults.length === 0) ? 0 : 1;
  } finally {
    await engines.stop();
  }
}

function record({ rounds = [] }: Results, figures: string): void {
  const unsteady = spreadsOf(rounds).filter(({ spread }) => spread > SPREAD_MAX);
  if (rounds.length >= 3 && unsteady.length === 0) writeFileSync(MEASURED, figures);
  else
    log(
      rounds.length < 3
        ? 'not recorded: fewer than three rounds'
        : `not recorded: the rounds differ too much (${unsteady.map(({ what }) => what).join(', ')})`,
    );
}

function chosen(only: string | undefined): Set<Part> {
  if (only === undefined) return new Set(PARTS);
  const names = only.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !PARTS.some((part) => part === name));
  if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}.\n\n${HELP}`);
  return new Set(PARTS.filter((part) => names.includes(part)));
}

async function measure(
  parts: Set<Part>,
  size: typeof FULL & { path: PathOptions; quick: boolean },
): Promise<Results> {
  log('starting the engines');
  const engines = await openStage();
  try {
    const results: Results = {
      measuredOn: new Date().toISOString().slice(0, 10),
      machine: machine(engines.postgresVersion),
      quick: size.quick,
      notes: [],
    };
    const reporter = {
      log,
      step: (step: PathStep): void => console.log(stepLine(step)),
      note: (note: string): void => void results.notes.push(note),
    };
    const database = await engines.createDatabase();
    const all = await seedDesks(database, 2 * DESKS);
    const desks = all.slice(0, DESKS);
    const unwatched = all.slice(DESKS);
    if (parts.has('append') || parts.has('path')) {
      console.log(stepHead);
      results.rounds = await measureThroughput(
        { append: parts.has('append'), path: parts.has('path') },
        { engines, database, desks, unwatched },
        size,
        reporter,
      );
    }
    if (parts.has('overload')) {
      const best = spreadsOf(results.rounds ?? []).find(({ what }) => what === 'c')?.median;
      const sustainable = best ?? OVERLOAD_RATE;
      log(`overload: two and three times ${Math.round(sustainable)} messages a second`);
      const asked = { sustainable, seconds: size.overloadSeconds };
      results.overload = await measureOverload(engines, database, desks, asked);
    }
    if (parts.has('memory')) {
      log(`memory: ${size.sockets} sockets`);
      results.memory = await measureMemory(engines, database, desks, size.sockets);
    }
    if (parts.has('hold')) {
      log(`hold: ${size.hold.sockets} sockets for ${size.hold.seconds} s`);
      results.hold = await measureHold(engines, database, desks, size.hold);
    }
    await database.drop();
    if (parts.has('gateways')) {
      log('gateways: one, and two on one port');
      console.log(stepHead);
      results.gateways = await measureGateways(engines, size, reporter);
    }
    if (parts.has('storage')) {
      log('storage: bytes per message on disk');
      results.storage = await measureStorage(engines, size.storage.conversations);
    }
    if (parts.has('wal')) {
      log(`wal: ${size.walSeconds} s of few messages`);
      results.wal = await measureWal(engines, size.walSeconds);
    }
    if (parts.has('open')) {
      log(`opening: storing ${size.open.big} messages takes a while`);
      results.open = await measureOpen(engines, size.open);
    }
    if (parts.has('dashboard')) {
      const { conversations, messagesEach } = size.dashboard;
      log(`dashboard: storing ${conversations * messagesEach} messages takes a while`);
      results.dashboard = await measureDashboard(engines, size.dashboard);
    }
    if (parts.has('data')) {
      log(`data: storing ${size.data.big} conversations takes a while`);
      results.data = await measureData(engines, size.data);
    }
    if (parts.has('backup')) {
      log(`backup: ${size.backup} messages`);
      results.backup = await measureBackup(engines, size.backup);
    }
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

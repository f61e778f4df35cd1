// The guarantees while every part of a large installation fails, also two at the same time.
import { randomInt } from 'node:crypto';
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { fullSize, isFull, seedOr } from '../../tools/fullSize.ts';
import { properties } from '../proof/checker.ts';
import { Random } from '../proof/random.ts';
import { Suite } from '../proof/suite.ts';
import { planLosses } from './control.ts';
import { eventOf, type FaultKind, planFaults } from './faults.ts';
import { INSTANCE } from './folder.ts';
import { Report } from './report.ts';
import { liveProperties, type Profile, runRound } from './run.ts';
import { type Region, startRegion } from './stage.ts';
import { Waits } from './waits.ts';

const { values } = parseArgs({
  options: {
    /** Only starts the region, for experiments. */
    up: { type: 'boolean', default: false },
    /** Only the run without a synchronous standby. */
    control: { type: 'boolean', default: false },
    seed: { type: 'string' },
    rounds: { type: 'string' },
    sends: { type: 'string' },
    faults: { type: 'string' },
    desks: { type: 'string', default: '16' },
    think: { type: 'string', default: String(fullSize(500, 200)) },
    /** Kinds of fault, separated by commas; + joins two that happen at the same time. Default: all. */
    kinds: { type: 'string' },
  },
});

/** What CI causes: the most important kinds, in little time. */
const IN_CI =
  "gateway killed,NATS partitioned+worker killed,manual switchover+connections cut,primary killed+NATS node killed,standby killed,primary isolated,primary's disk full";

const suite = new Suite();
const { log } = suite;
const seed = Number(values.seed ?? seedOr(() => randomInt(1, 1_000_000)));
const size = fullSize({ rounds: 1, sends: 5_000, faults: 10 }, { rounds: 5, sends: 201_000, faults: 21 });

function profile(name: string, wanted: Pick<Profile, 'sends' | 'faults'>): Profile {
  return {
    name,
    seed,
    desks: Number(values.desks),
    chatsPerDesk: 4,
    thinkMs: Number(values.think),
    seconds: 1_500,
    recoverSeconds: 60,
    recoveredShare: fullSize(0.9, 1),
    restSeconds: 90,
    retries: 0.1,
    watch: true,
    ...wanted,
  };
}

async function start(synchronous: boolean): Promise<Region> {
  const region = await startRegion({ random: new Random(seed).fork('lines'), synchronous });
  suite.onLeave(() => region.close());
  log('the region is up');
  return region;
}

async function up(): Promise<void> {
  const region = await start(true);
  const urls = {
    gateways: region.gatewayPorts.map((port) => `http://127.0.0.1:${port}`),
    database: region.databaseUrl,
    patroni: region.databases.nodes.map(({ apiPort }) => `http://127.0.0.1:${apiPort}/cluster`),
    nats: region.env.NATS_URL,
    s3: region.env.S3_ENDPOINT,
  };
  console.log(`${JSON.stringify(urls, undefined, 2)}\nCtrl-C ends it.`);
  await new Promise(() => {});
}

async function honestRun(report: Report, waits: Waits): Promise<void> {
  log(`seed ${seed}: node e2e/region/main.ts --seed ${seed}`);
  const region = await start(true);
  const kinds = values.kinds ?? (isFull ? undefined : IN_CI);
  const planned = new Random(seed).fork('plan');
  const plan = kinds === undefined ? planFaults(region, planned) : listed(region, planned, kinds);
  for (let number = 1; number <= Number(values.rounds ?? size.rounds); number += 1) {
    const wanted = {
      sends: Number(values.sends ?? size.sends),
      faults: Number(values.faults ?? size.faults),
    };
    const setup = profile(`round-${number}`, wanted);
    const round = await runRound(region, setup, { random: new Random(seed).fork(setup.name), plan, log });
    waits.take(round.recorder, round.records, setup.recoverSeconds * 1_000);
    report.take(round);
    suite.evaluate(round.verdict, round.live, liveProperties);
    const broken = Object.values({ ...round.verdict.findings, ...round.live }).some(
      ({ length }) => length > 0,
    );
    if (broken) log(`history in ${round.historyPath}`);
    else rmSync(round.historyPath);
    report.write();
  }
  console.log(`\n${report.describe()}\n`);
  await region.close();
}

function* listed(region: Region, random: Random, kinds: string) {
  for (const event of kinds.split(',')) yield eventOf(region, random, event.split('+') as FaultKind[]);
}

/** Passes if the suite reports the messages that this run loses. */
async function controlRun(report: Report): Promise<void> {
  log('control: without a synchronous standby, acknowledged messages must be lost');
  const region = await start(false);
  const setup = {
    ...profile('control', { sends: 2_000, faults: 2 }),
    desks: 4,
    restSeconds: 5,
    watch: false,
  };
  const random = new Random(seed).fork(setup.name);
  const round = await runRound(region, setup, { random, plan: planLosses(region), log });
  const { lost } = round.verdict.findings;
  suite.examples(lost);
  suite.expectCaught('asynchronous standby', lost, properties.lost);
  report.takeControl(round);
  report.write();
  await region.close();
}

async function main(): Promise<void> {
  const waits = new Waits();
  const report = new Report(seed, waits);
  if (!values.control) await honestRun(report, waits);
  if (values.control || isFull) await controlRun(report);
}

await suite.run(values.up ? up : main, { instances: [INSTANCE], keep: false });

// The proofs. Without arguments: what CI runs. See README.md.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { isFull, seedOr } from '../../tools/fullSize.ts';
import { checkFile } from './checks/checker.ts';
import { Report } from './report.ts';
import { prove, Run, type Scenario } from './scenario.ts';
import { Suite } from './suite.ts';
import { leave } from './topology/installation.ts';

const NAMES = [
  ...['faults', 'move', 'receipt', 'closing', 'claims', 'rolling'],
  ...['region', 'cells', 'hostile', 'recovery', 'powercut', 'upgrade', 'tests'],
];
/** Small enough that two runs at a time share the machine. */
const LANES = 2;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    /** Kinds of fault, separated by commas; + joins two that happen at the same time. */
    kinds: { type: 'string' },
    /** Its name, or `all`. */
    sabotage: { type: 'string' },
    full: { type: 'boolean', default: isFull },
    list: { type: 'boolean', default: false },
    /** Only the checker, on the history of an earlier run. */
    check: { type: 'string' },
  },
});
const seed = Number(values.seed ?? (values.full ? randomInt(1, 1_000_000) : seedOr(() => 0)));
const suite = new Suite();

type Loaded = Scenario<{ close(): Promise<void> }>;
type Task = (lane: number) => Promise<void>;

async function load(name: string): Promise<Loaded> {
  if (!NAMES.includes(name)) throw new Error(`There is no scenario ${name}. There are: ${NAMES.join(', ')}`);
  return ((await import(`./scenarios/${name}.ts`)) as { scenario: Loaded }).scenario;
}

async function main(): Promise<void> {
  if (values.check !== undefined) {
    const report = new Report(values.check);
    report.verdict(await checkFile(values.check));
    return count(report);
  }
  const [only, ...rest] = positionals;
  if (rest.length > 0) throw new Error('One scenario at a time.');
  const beside: Task[] = [];
  const alone: Task[] = [];
  for (const name of only === undefined ? NAMES : [only]) {
    const scenario = await load(name);
    if (values.list) list(name, scenario);
    else if (only !== undefined) alone.push(...chosen(name, scenario));
    else if (scenario.ci !== undefined)
      (scenario.ci === 'alone' ? alone : beside).push(
        honest(name, scenario),
        ...sabotaged(name, scenario, 'ci'),
      );
  }
  if (values.list) return;
  const work = async (_: unknown, lane: number): Promise<void> => {
    for (let task = beside.shift(); task !== undefined; task = beside.shift()) await task(lane);
  };
  await Promise.all(Array.from({ length: LANES }, work));
  for (const task of alone) await task(0);
}

function list(name: string, { what, ci, checks, sabotages = {} }: Loaded): void {
  console.log(`${name}: ${what}${ci === undefined ? ' (only at night)' : ''}`);
  for (const text of Object.values(checks)) console.log(`    ${text}`);
  for (const [sabotage, { what: broken }] of Object.entries(sabotages))
    console.log(`    --sabotage ${sabotage}: ${broken}`);
}

/** The honest run with all sabotages at night, or what the command line asks for. */
function chosen(name: string, scenario: Loaded): Task[] {
  const lacking = scenario.lacks?.();
  if (lacking !== undefined) return [async () => suite.skip(`${name}: ${lacking}`)];
  if (values.sabotage !== undefined) return sabotaged(name, scenario, values.sabotage);
  return values.full
    ? [honest(name, scenario), ...sabotaged(name, scenario, 'all')]
    : [honest(name, scenario)];
}

function honest(name: string, scenario: Loaded): Task {
  return async (lane) => {
    const report = new Report(name);
    report.log(
      `${scenario.what}: node e2e/proof/main.ts ${name} --seed ${seed}${values.full ? ' --full' : ''}`,
    );
    await attempt(scenario, name, lane, { report, part: 1 });
    count(report);
  };
}

/** Most faults are found in a short run. Only if not, a whole one follows. */
function sabotaged(name: string, scenario: Loaded, wanted: string): Task[] {
  const all = Object.entries(scenario.sabotages ?? {});
  const some = all.filter(([each, { ci }]) => wanted === 'all' || each === wanted || (wanted === 'ci' && ci));
  if (some.length === 0 && !['all', 'ci'].includes(wanted))
    throw new Error(`${name} has no sabotage ${wanted}. It has: ${all.map(([each]) => each).join(', ')}`);
  return some.map(([label, sabotage]) => async (lane) => {
    let report = new Report(label);
    report.log(sabotage.what);
    for (const part of [1 / 4, 1]) {
      report = new Report(label);
      await attempt(scenario, `${name}-${label}`, lane, { report, part, sabotage });
      if (sabotage.mustBreak.every((each) => report.caught(each).length > 0)) break;
    }
    report.expectCaught(sabotage.mustBreak, scenario.checks);
    count(report);
  });
}

async function attempt(
  scenario: Loaded,
  name: string,
  lane: number,
  parts: Pick<Run, 'report' | 'part'> & { sabotage?: Run['sabotage'] },
): Promise<void> {
  const { kinds, full } = values;
  const run = new Run({ name, seed, kinds, full, instance: `proof-${lane}`, sabotage: undefined, ...parts });
  const began = performance.now();
  try {
    await prove(scenario, run);
  } catch (error) {
    console.error(error);
    run.report.ended(name, error);
  }
  run.log(`took ${((performance.now() - began) / 1_000).toFixed(0)} s`);
}

function count(report: Report): void {
  report.print();
  suite.add(report);
}

await suite.run(main, { leave });

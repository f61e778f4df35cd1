import { parseArgs } from 'node:util';
import { fullSize, isFull } from '../../tools/fullSize.ts';
import { CALM, drawPlan, knownSeeds, type Plan, type Rates } from './plan.ts';
import { findingSeeds, type Planted, planted } from './planted.ts';
import { type Rule, rules } from './rules.ts';
import { optionsOf, shrinkPlan } from './shrink.ts';
import type { Ran } from './worker.ts';
import { Simulator } from './workers.ts';

const COMMAND = 'node e2e/simulation/main.ts';
const SEEDS = 300;
/** A planted fault must be found within so many seeds. */
const FIND_WITHIN = 2_000;
/** For `--planted`: all at night, every third in CI. */
const ALL = 'all';
const THREADS = 2;
const CHUNK = 50;
/** The same seeds in two threads must give the same events. */
const REPEATED = 20;
/** The full size draws new seeds for so long. */
const FULL_MINUTES = 20;
const MINUTE_MS = 60_000;
/** Lines of a trace to print around a violation. */
const TRACE_LINES = 400;

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string' },
    steps: { type: 'string' },
    calm: { type: 'string' },
    planted: { type: 'string' },
  },
});

let passed = 0;
let failed = 0;
function tally(holds: boolean, text: string): void {
  if (holds) passed += 1;
  else failed += 1;
  console.log(`${holds ? 'ok    ' : 'BROKEN'} ${text}`);
}

function faultOf(name: string): Planted {
  const found = planted[name];
  if (found !== undefined) return found;
  throw new Error(`There is no planted fault ${name}. There are: ${Object.keys(planted).join(', ')}`);
}

/** The plan of a seed, with only some of its steps and without some of its faults. */
function planFrom(seed: number): Plan {
  const plan = drawPlan(seed);
  const kept = values.steps?.split(',').map(Number);
  const rates = { ...plan.rates };
  for (const name of values.calm?.split(',') ?? []) rates[name as keyof Rates] = CALM[name as keyof Rates];
  return { ...plan, rates, ...(kept && { steps: plan.steps.filter((_, at) => kept.includes(at)) }) };
}

/** Repeats one seed with its trace. A failing one is shrunk. */
async function repeat(seed: number): Promise<void> {
  const simulator = new Simulator(values.planted === undefined ? undefined : faultOf(values.planted));
  const whole = planFrom(seed);
  const run = async (plan: Plan): Promise<Ran> =>
    (await simulator.run({ plans: [plan], verbose: true }))[0] as Ran;
  const first = await run(whole);
  const [violation] = first.violations;
  let shown = first;
  if (violation !== undefined && values.steps === undefined) {
    const breaks = async (plan: Plan, rule: Rule): Promise<boolean> => {
      const [ran] = await simulator.run({ plans: [plan] });
      return ran?.violations[0]?.rule === rule;
    };
    const smallest = await shrinkPlan(whole, violation.rule, breaks);
    shown = await run(smallest);
    console.log(`${whole.steps.length} steps shrink to ${smallest.steps.length}. Repeat them with:`);
    const fault = values.planted === undefined ? '' : ` --planted ${values.planted}`;
    console.log(`  ${COMMAND} ${optionsOf(smallest, whole)}${fault}`);
  }
  for (const line of shown.lines.slice(-TRACE_LINES)) console.log(line);
  for (const { rule, what } of shown.violations) console.log(`BROKEN ${rules[rule]}: ${what}`);
  tally(shown.violations.length === 0, `seed ${seed}: ${shown.events} events, trace ${shown.hash}`);
  await simulator.end();
}

/** Runs the seeds on two threads. `take` returns the next ones, or nothing at the end. */
async function runAll(simulators: readonly Simulator[], take: () => number[]): Promise<Ran[]> {
  const all: Ran[] = [];
  const work = async (simulator: Simulator): Promise<void> => {
    for (let seeds = take(); seeds.length > 0; seeds = take())
      all.push(...(await simulator.run({ plans: seeds.map(drawPlan) })));
  };
  await Promise.all(simulators.map(work));
  return all;
}

async function honest(count: number): Promise<void> {
  const began = Date.now();
  const simulators = Array.from({ length: THREADS }, () => new Simulator());
  const twice = await Promise.all(
    simulators.map((simulator, at) => {
      const plans = Array.from({ length: REPEATED }, (_, index) => drawPlan(index + 1));
      return simulator.run({ plans: at === 0 ? plans : plans.toReversed() });
    }),
  );
  const hashes = twice.map((ran) => new Map(ran.map(({ seed, hash }) => [seed, hash])));
  const differ = [...(hashes[0] ?? [])].filter(([seed, hash]) => hashes[1]?.get(seed) !== hash);
  const start = fullSize(1, Math.floor(Math.random() * 1_000_000_000));
  let next = 0;
  const waiting = [...knownSeeds];
  const ran = await runAll(simulators, () => {
    if (waiting.length > 0) return waiting.splice(0, CHUNK);
    if (isFull ? Date.now() - began > FULL_MINUTES * MINUTE_MS : next >= count) return [];
    next += CHUNK;
    return Array.from({ length: CHUNK }, (_, at) => start + next - CHUNK + at);
  });
  for (const simulator of simulators) await simulator.end();
  const seconds = (Date.now() - began) / 1_000;
  const events = ran.reduce((sum, each) => sum + each.events, 0);
  console.log(`  ${ran.length} seeds from ${start}, ${events} events in ${seconds.toFixed(0)} s`);
  tally(differ.length === 0, `the same seed gives the same events (${REPEATED} seeds, two threads)`);
  for (const [name, text] of Object.entries(rules)) {
    const found = ran.filter(({ violations }) => violations[0]?.rule === name);
    tally(found.length === 0, text);
    for (const { seed, violations } of found.slice(0, 3)) {
      console.log(`         ${violations[0]?.what.slice(0, 240)}`);
      console.log(`         ${COMMAND} --seed ${seed}`);
    }
  }
}

/** Each fault in a thread of its own, two at a time, until a seed finds it. */
async function plantedFaults(names: readonly string[]): Promise<void> {
  const waiting = [...names];
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const fault = faultOf(name);
      const simulator = new Simulator(fault);
      let found: Ran | undefined;
      const search = async (seeds: readonly number[]): Promise<void> => {
        const ran = await simulator.run({ plans: seeds.map(drawPlan), first: true });
        found = ran.find(({ violations }) => violations.length > 0);
      };
      await search(findingSeeds);
      for (let from = 1; found === undefined && from <= FIND_WITHIN; from += CHUNK)
        await search(Array.from({ length: CHUNK }, (_, at) => from + at));
      await simulator.end();
      const rule = found?.violations[0]?.rule;
      const holds = rule !== undefined && fault.breaks.includes(rule);
      const how = found === undefined ? 'is not found' : `breaks a rule (${rule}) at seed ${found.seed}`;
      tally(holds, `${name} ${how}`);
      if (found) console.log(`         ${COMMAND} --seed ${found.seed} --planted ${name}`);
    }
  };
  await Promise.all(Array.from({ length: THREADS }, work));
}

if (values.seed !== undefined) await repeat(Number(values.seed));
else if (values.planted !== undefined)
  await plantedFaults(
    values.planted === ALL
      ? Object.keys(planted).filter((_, at) => at % fullSize(3, 1) === 0)
      : [values.planted],
  );
else await honest(Number(values.seeds ?? SEEDS));
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

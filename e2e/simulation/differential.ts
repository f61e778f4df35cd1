// Compares the model of the database with PostgreSQL: random calls with the same arguments, in the same order.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { fullSize, seedOr } from '../../tools/fullSize.ts';
import { Suite } from '../proof/suite.ts';
import { Comparison, type Finding } from './differential/comparison.ts';
import { plantedFaults } from './differential/plantedFaults.ts';
import { INSTANCE, setStage } from './differential/postgres.ts';
import { type Modelled, model } from './model/model.ts';
import { shrink } from './shrink.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    calls: { type: 'string' },
    /** The numbers of the calls of the world with this seed. */
    only: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});

/** Every world is new. */
const CALLS_PER_WORLD = 500;
/** Within which a planted fault must be found. */
const CALLS_PER_FAULT = 10_000;

/** Of append_messages. Each must occur. */
const OUTCOMES = 7;

const suite = new Suite();
const { log } = suite;

const numbersBelow = (count: number) => Array.from({ length: count }, (_, number) => number);

type Found = Finding & { seed: number; numbers: number[]; calls: number };

/** The first difference within so many calls, in worlds from this seed on. */
async function compare(
  comparison: Comparison,
  { seed, calls, functions }: { seed: number; calls: number; functions: Modelled },
): Promise<Found | undefined> {
  for (let done = 0; done < calls; done += CALLS_PER_WORLD) {
    const world = seed + done / CALLS_PER_WORLD;
    const numbers = numbersBelow(Math.min(CALLS_PER_WORLD, calls - done));
    const found = await comparison.run(world, numbers, functions);
    if (found === undefined) continue;
    const until = numbers.slice(0, found.at + 1);
    return { ...found, seed: world, numbers: until, calls: done + until.length };
  }
  return undefined;
}

async function report(comparison: Comparison, { seed, numbers, what }: Found): Promise<void> {
  log(`a difference after ${numbers.length} calls of seed ${seed}; leaving out calls …`);
  const fails = async (fewer: readonly number[]) => (await comparison.run(seed, fewer, model)) !== undefined;
  const left = await shrink(numbers, fails);
  const last = await comparison.run(seed, left, model);
  console.log(last?.what ?? what);
  console.log(`repeat: node e2e/simulation/differential.ts --seed ${seed} --only ${left.join(',')}`);
}

async function main(): Promise<void> {
  const stage = await setStage();
  const comparison = await Comparison.open(stage);
  try {
    const seed = Number(values.seed ?? seedOr(() => randomInt(1, 1_000_000_000)));
    if (values.only !== undefined) {
      const found = await comparison.run(seed, values.only.split(',').map(Number), model);
      console.log(found?.what ?? 'no difference');
      suite.tally(found === undefined);
      return;
    }
    const calls = Number(values.calls ?? fullSize(5_000, 100_000));
    const began = performance.now();
    const found = await compare(comparison, { seed, calls, functions: model });
    if (found !== undefined) await report(comparison, found);
    const seconds = (performance.now() - began) / 1_000;
    suite.tally(found === undefined);
    console.log(
      `  ${found?.calls ?? calls} random calls from seed ${seed} in ${seconds.toFixed(0)} s: ${found === undefined ? 'no difference' : 'A DIFFERENCE'}`,
    );
    const outcomes = [...comparison.outcomes].map(([outcome, count]) => `${outcome} ${count}`);
    console.log(`  outcomes of appends: ${outcomes.join(', ')}`);
    suite.tally(outcomes.length === OUTCOMES);
    for (const [name, { what, wrong }] of Object.entries(plantedFaults)) {
      const caught = await compare(comparison, {
        seed: 1,
        calls: CALLS_PER_FAULT,
        functions: { ...model, ...wrong },
      });
      suite.tally(caught !== undefined);
      console.log(
        caught === undefined
          ? `BROKEN planted fault ${name} is not found: ${what}`
          : `  planted fault ${name} found after ${caught.calls} calls: ${what}`,
      );
    }
  } finally {
    await comparison.close();
    await stage.close();
  }
}

await suite.run(main, { instances: [INSTANCE], keep: values.keep });

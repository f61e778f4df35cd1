// The guarantees under faults: an honest run that must pass, and sabotaged builds that must fail.
import { randomInt } from 'node:crypto';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fullSize, seedOr } from '../../tools/fullSize.ts';
import { failedProperties, properties } from '../proof/checker.ts';
import { NOTHING_OBSERVED } from '../proof/checks/watched.ts';
import { buildPatched } from '../proof/patch.ts';
import { chosenSabotages, Suite } from '../proof/suite.ts';
import { indented } from '../proof/table.ts';
import { type FaultKind, faults } from './faults.ts';
import { describeFaults, describeFigures } from './report.ts';
import { liveProperties, type Profile, run } from './run.ts';
import { type Sabotage, type SabotageName, sabotages } from './sabotage.ts';
import { INSTANCES, type Instance } from './stage.ts';

const ROOT = resolve(import.meta.dirname, '../..');

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    // The time limit. The run ends as soon as it has all messages and faults.
    seconds: { type: 'string', default: '1200' },
    sends: { type: 'string' },
    faults: { type: 'string' },
    desks: { type: 'string', default: '15' },
    sabotage: { type: 'string' },
    'honest-only': { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});

const suite = new Suite();
const { log } = suite;

function profile(name: string, parts: Pick<Profile, 'seed' | 'sends' | 'faults' | 'kinds'>): Profile {
  return {
    instance: INSTANCES[0],
    desks: Number(values.desks),
    chatsPerDesk: 4,
    seconds: Number(values.seconds),
    recoverSeconds: 15,
    restSeconds: 60,
    retries: 1,
    finalMessages: true,
    watch: true,
    build: ROOT,
    sql: '',
    historyPath: join(ROOT, '.settee', INSTANCES[0], `${name}.jsonl`),
    keep: values.keep,
    ...parts,
  };
}

async function honestRun(): Promise<void> {
  const seed = Number(values.seed ?? seedOr(() => randomInt(1, 1_000_000)));
  const size = fullSize({ sends: 8_000, faults: Object.keys(faults).length }, { sends: 100_000, faults: 40 });
  const wanted = {
    seed,
    sends: Number(values.sends ?? size.sends),
    faults: Number(values.faults ?? size.faults),
  };
  log(`honest run, seed ${seed}: node e2e/faults/main.ts --honest-only --seed ${seed}`);
  const setup = profile('honest', { ...wanted, kinds: Object.keys(faults) as FaultKind[] });
  const result = await run(setup, log);
  console.log(`\n${indented(describeFaults(result))}\n\n${indented(describeFigures(result))}\n`);
  suite.evaluate(result.verdict, result.live, liveProperties);
  console.log(`seed ${seed}, history in ${setup.historyPath}\n`);
}

/** Passes if the suite finds the fault that the build contains. */
async function sabotagedRun(name: SabotageName, instance: Instance): Promise<void> {
  const sabotage: Sabotage = sabotages[name];
  const seed =
    values.seed === undefined || values.sabotage === undefined ? sabotage.seed : Number(values.seed);
  log(`sabotage ${name}, seed ${seed}: ${sabotage.what}`);
  const { build, remove } = buildPatched(ROOT, sabotage.patches);
  // Most faults are found in a short run. Only if not, the whole one follows.
  const short = { ...sabotage, sends: sabotage.sends / 4, faults: Math.min(1, sabotage.faults) };
  let found: string[] = [];
  try {
    for (const size of fullSize([short, sabotage], [sabotage])) {
      const { verdict } = await run(
        {
          ...profile(name, { ...size, seed }),
          instance,
          build,
          desks: 3,
          // Enough for a slow machine to find the fault.
          seconds: 90,
          recoverSeconds: 5,
          restSeconds: 3,
        },
        (line) => log(`${name}: ${line}`),
      );
      for (const property of failedProperties(verdict)) {
        console.log(`  found: ${properties[property]}: broken ${verdict.findings[property].length} times`);
        suite.examples(verdict.findings[property]);
      }
      found = verdict.findings[sabotage.mustBreak].filter((finding) => finding !== NOTHING_OBSERVED);
      if (found.length > 0) break;
    }
    suite.expectCaught(name, found, properties[sabotage.mustBreak]);
  } finally {
    remove();
  }
}

async function main(): Promise<void> {
  const waiting = chosenSabotages<SabotageName>(sabotages, values);
  if (values.sabotage === undefined) await honestRun();
  // Two at a time, because they mostly wait. The honest run was alone.
  await Promise.all(
    INSTANCES.map(async (instance) => {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
        await sabotagedRun(name, instance);
    }),
  );
}

await suite.run(main, { instances: INSTANCES, keep: values.keep });

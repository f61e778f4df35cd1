// The guarantees under faults: one honest run that must hold, and sabotaged builds that must not.
import { randomInt } from 'node:crypto';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { stopEngines } from '../../bin/engines/engines.ts';
import { describeVerdict } from '../proof/check.ts';
import { failedProperties, properties } from '../proof/checker.ts';
import { killGateways } from '../proof/gatewayProcess.ts';
import { buildPatched } from '../proof/patchedBuild.ts';
import { type FaultKind, faults } from './faults.ts';
import { describeFaults, describeFigures } from './report.ts';
import { type LiveProperty, liveProperties, type Profile, run } from './run.ts';
import { isSabotageName, type Sabotage, type SabotageName, sabotages } from './sabotage.ts';
import { INSTANCES, type Instance } from './stage.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const EXAMPLES = 3;

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seconds: { type: 'string', default: '330' },
    sends: { type: 'string', default: '100000' },
    faults: { type: 'string', default: '40' },
    desks: { type: 'string', default: '15' },
    sabotage: { type: 'string' },
    'honest-only': { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});

const began = performance.now();
let passed = 0;
let failed = 0;

function say(line: string): void {
  console.log(`[${((performance.now() - began) / 1_000).toFixed(0).padStart(4)} s] ${line}`);
}

function tally(holds: boolean): void {
  if (holds) passed += 1;
  else failed += 1;
}

function profile(name: string, parts: Pick<Profile, 'seed' | 'sends' | 'faults' | 'kinds'>): Profile {
  return {
    instance: INSTANCES[0],
    desks: Number(values.desks),
    chatsPerDesk: 4,
    seconds: Number(values.seconds),
    restSeconds: 60,
    retries: true,
    lastWords: true,
    build: ROOT,
    sql: '',
    historyPath: join(ROOT, '.settee', INSTANCES[0], `${name}.jsonl`),
    keep: values.keep,
    ...parts,
  };
}

async function honestRun(): Promise<void> {
  const seed = values.seed === undefined ? randomInt(1, 1_000_000) : Number(values.seed);
  const wanted = { seed, sends: Number(values.sends), faults: Number(values.faults) };
  say(`honest run, seed ${seed}: node e2e/faults/main.ts --honest-only --seed ${seed}`);
  const setup = profile('honest', { ...wanted, kinds: Object.keys(faults) as FaultKind[] });
  const result = await run(setup, say);
  console.log(`\n${describeFaults(result)}\n\n${describeFigures(result)}\n`);
  console.log(`${describeVerdict(result.verdict)}`);
  for (const name of Object.keys(liveProperties) as LiveProperty[]) {
    const found = result.live[name];
    console.log(`${found.length === 0 ? 'ok    ' : 'BROKEN'} ${liveProperties[name]}`);
    for (const example of found.slice(0, EXAMPLES)) console.log(`         ${example}`);
    tally(found.length === 0);
  }
  const broken = failedProperties(result.verdict);
  passed += Object.keys(properties).length - broken.length;
  failed += broken.length;
  console.log(`seed ${seed}, history in ${setup.historyPath}\n`);
}

/** A sabotaged build passes this test by failing the suite, and in the way that it must. */
async function sabotagedRun(name: SabotageName, instance: Instance): Promise<void> {
  const sabotage: Sabotage = sabotages[name];
  const seed =
    values.seed === undefined || values.sabotage === undefined ? sabotage.seed : Number(values.seed);
  say(`sabotage ${name}, seed ${seed}: ${sabotage.what}`);
  const { build, remove } = buildPatched(ROOT, sabotage.patches);
  try {
    const { verdict } = await run(
      {
        ...profile(name, { ...sabotage, seed }),
        instance,
        build,
        desks: 3,
        seconds: 30,
        restSeconds: 3,
      },
      (line) => say(`${name}: ${line}`),
    );
    const found = verdict.findings[sabotage.mustBreak];
    for (const property of failedProperties(verdict)) {
      console.log(`  found: ${properties[property]}: broken ${verdict.findings[property].length} times`);
      for (const example of verdict.findings[property].slice(0, EXAMPLES)) {
        console.log(`         ${example.slice(0, 240)}`);
      }
    }
    const caught = found.length > 0;
    console.log(
      `${caught ? 'ok    ' : 'BROKEN'} sabotage ${name} is caught (${properties[sabotage.mustBreak]})\n`,
    );
    tally(caught);
  } finally {
    remove();
  }
}

async function main(): Promise<void> {
  const { sabotage } = values;
  if (sabotage !== undefined && !isSabotageName(sabotage)) {
    throw new Error(`There is no sabotage ${sabotage}. There are: ${Object.keys(sabotages).join(', ')}`);
  }
  if (sabotage === undefined) await honestRun();
  const names = values['honest-only'] ? [] : (Object.keys(sabotages) as SabotageName[]);
  const waiting = sabotage === undefined ? names : [sabotage];
  // Two at a time: they are small, and wait more than they work. The honest run had the machine to itself.
  await Promise.all(
    INSTANCES.map(async (instance) => {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
        await sabotagedRun(name, instance);
    }),
  );
}

async function leave(code: number): Promise<never> {
  killGateways();
  if (!values.keep) for (const instance of INSTANCES) await stopEngines({ instance }).catch(console.error);
  process.exit(code);
}

process.on('exit', killGateways);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void leave(1));
process.once('uncaughtException', (error) => {
  console.error(error);
  void leave(1);
});

await main().catch((error: unknown) => {
  console.error(error);
  failed += 1;
});
console.log(`${passed} passed, ${failed} failed`);
await leave(failed === 0 ? 0 : 1);

// A rolling upgrade under load: an honest run that must pass, and a sabotaged one that must fail.
import { randomInt } from 'node:crypto';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fullSize, seedOr } from '../../tools/fullSize.ts';
import { properties } from '../proof/checker.ts';
import { buildPatched } from '../proof/patch.ts';
import { quantile } from '../proof/quantile.ts';
import { chosenSabotages, Suite } from '../proof/suite.ts';
import { nextMigrations, nextPatches } from './nextRelease.ts';
import { liveProperties } from './properties.ts';
import { previousRelease } from './releases.ts';
import { type Act, type Profile, type RunResult, run } from './run.ts';
import { type Sabotage, type SabotageName, sabotages } from './sabotage.ts';
import { INSTANCE } from './stage.ts';

const ROOT = resolve(import.meta.dirname, '../..');

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    desks: { type: 'string' },
    sabotage: { type: 'string' },
    'honest-only': { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});

const suite = new Suite();
const { log } = suite;

function profile(name: string, parts: Omit<Profile, 'chatsPerDesk' | 'historyPath' | 'keep'>): Profile {
  const historyPath = join(ROOT, '.settee', INSTANCE, `${name}.jsonl`);
  return { chatsPerDesk: 3, historyPath, keep: values.keep, ...parts };
}

async function honestRun(): Promise<void> {
  const seed = Number(values.seed ?? seedOr(() => randomInt(1, 1_000_000)));
  const previous = previousRelease(ROOT);
  const next = buildPatched(ROOT, nextPatches, nextMigrations);
  log(
    `from ${previous.name} to the next, seed ${seed}: node e2e/rolling/main.ts --honest-only --seed ${seed}`,
  );
  try {
    const builds = { previous: previous.build, next: next.build };
    const setup = profile('honest', {
      seed,
      desks: Number(values.desks ?? fullSize(10, 20)),
      ...builds,
      acts: [...fullSize<Act[]>([], ['restart A', 'restart B']), 'begin', 'finish'],
      patienceMs: 10_000,
      speed: 1,
    });
    const result = await run(setup, log);
    console.log(`\n${describeFigures(result)}\n`);
    suite.evaluate(result.verdict, result.live, liveProperties);
    console.log(`seed ${seed}, history in ${setup.historyPath}\n`);
  } finally {
    previous.remove();
    next.remove();
  }
}

/** CI shows lines that begin with two spaces. */
function describeFigures({ returns, recorder, upgrade, verdict }: RunResult): string {
  const { took, codes } = returns;
  const ms = (value: number): string => `${Math.round(value)} ms`;
  const refusals = [...recorder.refusals].map(([code, count]) => `${code} ${count}`).join(', ') || 'none';
  const closes = [...codes].map(([code, count]) => `${count} × ${code}`).join(', ');
  return [
    `  ${verdict.acked} messages acknowledged during ${upgrade.exits.length} restarts; lost ${verdict.findings.lost.length}, duplicates ${verdict.findings.duplicates.length}`,
    `  sockets closed: ${closes}; back, greeted and caught up: p50 ${ms(quantile(took, 0.5))}, p99 ${ms(quantile(took, 0.99))}, at worst ${ms(Math.max(...took))}`,
    `  SIGTERM to exit: ${upgrade.exits.map(ms).join(', ')}; refused for the moment: ${refusals}`,
    `  migration under load: ${ms(upgrade.migrationMs)}; longest wait for an ack ${ms(upgrade.longestWaits.before)} before, ${ms(upgrade.longestWaits.during)} during`,
  ].join('\n');
}

/** Passes if the suite finds every fault that the build contains. */
async function sabotagedRun(name: SabotageName): Promise<void> {
  const sabotage: Sabotage = sabotages[name];
  log(`sabotage ${name}: ${sabotage.what}`);
  const previous = buildPatched(ROOT, sabotage.patches);
  const migrations = { ...nextMigrations, 'server/migrations/20991231000003_locks.sql': sabotage.migration };
  const next = buildPatched(ROOT, nextPatches, migrations);
  try {
    const { verdict, live } = await run(
      profile(name, {
        seed: 21,
        desks: 6,
        previous: previous.build,
        next: next.build,
        acts: sabotage.acts,
        patienceMs: sabotage.patienceMs,
        speed: sabotage.speed,
      }),
      log,
    );
    const findings: Record<string, string[]> = { ...verdict.findings, ...live };
    const texts: Record<string, string> = { ...properties, ...liveProperties };
    for (const property of sabotage.mustBreak) {
      const found = findings[property] ?? [];
      suite.examples(found);
      suite.expectCaught(name, found, texts[property] ?? property);
    }
  } finally {
    previous.remove();
    next.remove();
  }
}

async function main(): Promise<void> {
  const names = chosenSabotages<SabotageName>(sabotages, values);
  if (values.sabotage === undefined) await honestRun();
  for (const name of names) await sabotagedRun(name);
}

await suite.run(main, { instances: [INSTANCE], keep: values.keep });

// The steps of `npm run check`, in order: fast checks first, then in the order that leaves no processor idle.
import { BUILT } from '../built.ts';
import { FULL } from '../fullSize.ts';

/** How a step reports its number of tests. A step without it runs no tests. */
export type Tally = 'vitest' | 'playwright' | 'printed';

export type Step = {
  name: string;
  what: string;
  command: string;
  /** The step fails after this time. Shards are balanced by it. */
  minutes: number;
  tally?: Tally;
  /** Lines to show even if the step passes. */
  shows?: RegExp;
  /** Environment for the later steps, if this step passes. */
  provides?: Record<string, string>;
  /** A step that must end before this one, in the same shard. */
  needs?: string;
  environment?: Record<string, string>;
};

/** In a command: the path of the runner's JSON report. */
export const REPORT = '{report}';

function vitest(project: string, what: string, minutes: number): Step {
  const command = `vitest run --project ${project} --reporter=default --reporter=json --outputFile.json=${REPORT}`;
  return { name: project, what, command, minutes, tally: 'vitest' };
}

/** Programs print figures with two spaces before them. */
const shows = /^ {2}\S/;
/** The nightly run also shows what each program checked. */
const showsChecks = /^(?: {2}|ok {5}|BROKEN )\S/;

function playwright(project: string, what: string, minutes: number): Step {
  const command = `node bin/e2e.ts --project=${project} --reporter=list,json`;
  return { name: project, what, command, minutes, tally: 'playwright', shows };
}

function program(name: string, what: string, command: string, minutes: number): Step {
  return { name, what, command, minutes, tally: 'printed', shows };
}

const PROOF = 'node e2e/proof/main.ts';
/** One scenario, in the full size. */
const proof = (name: string, what: string, minutes: number): Step =>
  program(name, what, `${PROOF} ${name}`, minutes);

const build: Step = {
  name: 'build',
  what: 'web build',
  command: 'npm run build',
  minutes: 5,
  provides: BUILT,
};
const site = program('site', 'build of the documentation site, and its links', 'node bin/site.ts', 5);

/** For programs in Go that end soon: half of their CPU time was the collection of garbage. */
const RARELY_COLLECTED = { GOGC: '400' };

export const steps: readonly Step[] = [
  {
    name: 'format',
    what: 'formatting, imports and lint (biome)',
    command: 'biome ci --colors=off --error-on-warnings .',
    minutes: 10,
  },
  {
    name: 'types',
    what: 'types (tsc)',
    // Each of several checkers repeats a good part of the work.
    command: 'tsc --noEmit --checkers 1',
    minutes: 10,
    environment: RARELY_COLLECTED,
  },
  build,
  {
    name: 'lint',
    what: 'lint with types (oxlint)',
    command: 'oxlint',
    minutes: 10,
    environment: RARELY_COLLECTED,
  },
  {
    name: 'layers',
    what: 'import rules (dependency-cruiser)',
    command: 'depcruise --output-type err-long protocol server web e2e bench bin tools',
    minutes: 10,
  },
  { name: 'unused', what: 'unused code and dependencies (knip)', command: 'knip --no-progress', minutes: 10 },
  program('prose', 'language of the documents', 'node tools/check/prose.ts', 10),
  program('translations', 'texts without a translation', 'node tools/check/translations.ts', 5),
  { ...program('sizes', 'size of the pages', 'node bin/sizes.ts', 5), needs: 'build' },
  site,
  vitest('unit', 'unit tests', 20),
  {
    // The longest step. Those that mostly wait run beside it, and then those that keep a processor busy to the end.
    ...playwright('product', 'the product in a browser (playwright)', 60),
    name: 'e2e',
    shows: /^ {2}\d+ passed/,
    needs: 'build',
  },
  {
    ...program('pictures', 'the screens that the README shows', 'node bin/pictures.ts --check', 15),
    needs: 'build',
  },
  program('proof', 'the guarantees under faults, a moved desk and a rolling upgrade', PROOF, 30),
  program('model', 'the model of the database beside PostgreSQL', 'node e2e/simulation/differential.ts', 20),
  program('planted', 'faults planted in the simulation', 'node e2e/simulation/main.ts --planted all', 20),
  program('simulation', 'simulated runs', 'node e2e/simulation/main.ts', 20),
  program('ops', 'image, compose, chart and units; a production installation', 'node tools/ops/main.ts', 20),
  { ...vitest('int', 'tests with the real engines', 60), needs: 'build' },
  vitest('component', 'component tests in a browser', 30),
];

/** The steps of `npm run nightly`, one at a time: the full size of what CI runs small, and what measures time or load. */
export const nightlySteps: readonly Step[] = [
  vitest('unit', 'unit tests with new random inputs', 10),
  build,
  vitest('int', 'all tests with the real engines', 45),
  playwright('nightly', 'the slow browser tests, and every state at every width', 40),
  {
    ...playwright('firefox', 'the product in Firefox and WebKit', 60),
    name: 'browsers',
    command: 'node bin/e2e.ts --project=firefox --project=webkit --reporter=list,json',
  },
  playwright('frames', 'frame rate of long lists', 12),
  playwright('lighthouse', 'the pages on a phone (Lighthouse)', 30),
  {
    ...playwright('readme', 'the commands of the README on a machine with only Node', 20),
    command: 'playwright test --config e2e/playwright.config.ts --project=readme --reporter=list,json',
  },
  site,
  {
    ...playwright('site', 'every page of the documentation site at every width', 20),
    name: 'sitePages',
    command: 'playwright test --config e2e/playwright.config.ts --project=site --reporter=list,json',
    needs: 'site',
  },
  proof('rolling', 'a rolling upgrade under load', 15),
  proof('upgrade', 'an upgrade from 0.1.0 with 100,000 messages', 20),
  proof('faults', '100,000 messages, 40 faults and six sabotages', 60),
  proof('tests', 'planted product faults, which the tests of the guarantees must notice', 40),
  program('model', '100,000 calls of model and PostgreSQL', 'node e2e/simulation/differential.ts', 15),
  proof('region', '1,000,000 messages and 100 faults in a large installation', 120),
  program('planted', 'all faults planted in the simulation', 'node e2e/simulation/main.ts --planted all', 15),
  program('simulation', 'simulated runs with new seeds for 20 minutes', 'node e2e/simulation/main.ts', 35),
  proof('cells', 'one of two cells behind one address dies', 20),
  proof('move', 'a large desk moves to another cell', 20),
  proof('hostile', 'hostile clients beside well-behaved people', 20),
  proof('receipt', 'messages arrive in time, with and without NATS', 10),
  proof('claims', 'invites bind once, also while PostgreSQL fails over', 20),
  proof('closing', 'live sockets close in time, also while PostgreSQL fails over', 20),
  proof('recovery', 'a point-in-time restore loses nothing', 15),
  proof('powercut', 'the power is cut 50 times, and three sabotages', 120),
  program('chart', 'the chart against a real Kubernetes API server', 'node tools/chart/main.ts', 45),
  program('containers', 'image, Compose, install.sh and units for real', 'node tools/containers/main.ts', 90),
].map((step) => ({
  ...step,
  ...(step.tally === 'printed' && { shows: showsChecks }),
  environment: FULL,
}));

/** Shard `index` (from 1) of `count`. Gives the longest step to the shard with the least work, and keeps the order. */
export function shard(all: readonly Step[], index: number, count: number): Step[] {
  const shards = Array.from({ length: count }, () => ({ minutes: 0, names: new Set<string>() }));
  for (const { name, minutes, needs } of all.toSorted((left, right) => right.minutes - left.minutes)) {
    const target = shards.reduce((least, each) => (each.minutes < least.minutes ? each : least));
    target.minutes += minutes;
    target.names.add(name);
    if (needs !== undefined) target.names.add(needs);
  }
  return all.filter(({ name }) => shards[index - 1]?.names.has(name));
}

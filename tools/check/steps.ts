// What `npm run check` runs, in order: the cheap and telling first.

import { BUILT } from '../built.ts';

/** How a step tells how many tests it ran; a step without it runs none. */
export type Tally = 'vitest' | 'playwright' | 'printed';

export type Step = {
  name: string;
  what: string;
  command: [program: string, ...args: string[]];
  /** The file that the step cannot do without. */
  entry: string;
  tally?: Tally;
  /** Lines worth reading even when it passes: figures. */
  shows?: RegExp;
  /** For the environment of the steps after it, once it passed: what they need not do again. */
  leaves?: Record<string, string>;
  minutes: number;
};

/** Takes the place of the path that a runner writes its JSON report to. */
export const REPORT = '{report}';

function vitest(project: string): Step['command'] {
  return [
    'vitest',
    'run',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${REPORT}`,
  ];
}

function playwright(project: string): Step['command'] {
  return ['node', 'bin/e2e.ts', `--project=${project}`, '--reporter=list,json'];
}

/** Figures are printed with two spaces before them. */
const INDENTED = /^ {2}\S/;

export const steps: Step[] = [
  {
    name: 'format',
    what: 'formatting, imports and lint (biome)',
    command: ['biome', 'ci', '--colors=off', '--error-on-warnings', '.'],
    entry: 'biome.json',
    minutes: 2,
  },
  { name: 'types', what: 'types (tsc)', command: ['tsc', '--noEmit'], entry: 'tsconfig.json', minutes: 5 },
  {
    name: 'lint',
    what: 'lint with types (oxlint)',
    command: ['oxlint'],
    entry: '.oxlintrc.json',
    minutes: 5,
  },
  {
    name: 'layers',
    what: 'who may import whom (dependency-cruiser)',
    command: ['node', 'tools/check/layers.ts'],
    entry: '.dependency-cruiser.mjs',
    minutes: 5,
  },
  {
    name: 'unused',
    what: 'unused files, exports and dependencies (knip)',
    command: ['knip', '--no-progress'],
    entry: 'knip.json',
    minutes: 5,
  },
  {
    name: 'unit',
    what: 'tests that need nothing',
    command: vitest('unit'),
    entry: 'vitest.config.ts',
    tally: 'vitest',
    minutes: 10,
  },
  {
    name: 'component',
    what: 'components alone, in a real browser',
    command: vitest('component'),
    entry: 'web/test/component.setup.ts',
    tally: 'vitest',
    minutes: 10,
  },
  {
    name: 'build',
    what: 'the web build',
    command: ['npm', 'run', 'build'],
    entry: 'web/vite.config.ts',
    leaves: BUILT,
    minutes: 5,
  },
  {
    name: 'sizes',
    what: 'what the pages make a browser load',
    command: ['node', 'bin/sizes.ts'],
    entry: 'bin/sizes.ts',
    tally: 'printed',
    shows: INDENTED,
    minutes: 1,
  },
  {
    name: 'int',
    what: 'tests on the real engines',
    command: vitest('int'),
    entry: 'server/test/engines.setup.ts',
    tally: 'vitest',
    minutes: 30,
  },
  {
    name: 'ops',
    what: 'image, compose, chart and units; a production install as a user who owns nothing',
    command: ['node', 'tools/ops/main.ts'],
    entry: 'tools/ops/main.ts',
    tally: 'printed',
    shows: INDENTED,
    minutes: 20,
  },
  {
    name: 'e2e',
    what: 'the product in a browser (playwright)',
    command: playwright('product'),
    entry: 'bin/e2e.ts',
    tally: 'playwright',
    // Which tests needed a second try, and for how long it took altogether.
    shows: /^ {2}\d+ (?:flaky|passed)|^ {4}\[product\]/,
    minutes: 60,
  },
  {
    name: 'readme',
    what: 'the README, to the letter, on a machine with nothing but Node',
    command: [
      'playwright',
      'test',
      '--config',
      'e2e/playwright.config.ts',
      '--project=readme',
      '--reporter=list,json',
    ],
    entry: 'e2e/readme/readme.spec.ts',
    tally: 'playwright',
    shows: INDENTED,
    minutes: 8,
  },
  {
    name: 'frames',
    what: 'how smoothly long lists move, how quickly chats switch',
    command: playwright('frames'),
    entry: 'bin/e2e.ts',
    tally: 'playwright',
    shows: INDENTED,
    minutes: 12,
  },
  {
    name: 'lighthouse',
    what: 'how the pages do on a phone (Lighthouse)',
    command: playwright('lighthouse'),
    entry: 'bin/e2e.ts',
    tally: 'playwright',
    shows: INDENTED,
    minutes: 8,
  },
  {
    name: 'rolling',
    what: 'a rolling upgrade of two gateways under load',
    command: ['node', 'e2e/rolling/main.ts'],
    entry: 'e2e/rolling/main.ts',
    tally: 'printed',
    shows: INDENTED,
    minutes: 8,
  },
  {
    name: 'faults',
    what: 'the guarantees under faults',
    command: ['node', 'e2e/faults/main.ts'],
    entry: 'e2e/faults/main.ts',
    tally: 'printed',
    minutes: 45,
  },
];

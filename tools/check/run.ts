import { spawn } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import {
  add,
  type Counts,
  idsIn,
  NO_TESTS,
  playwrightCounts,
  playwrightPassed,
  printedCounts,
  printedPassed,
  vitestCounts,
  vitestPassed,
} from './counts.ts';
import { REPORT, type Step } from './steps.ts';

const TAIL_LINES = 200;
/** How each runner begins the report of a failed test, and the lines that follow it in the summary. */
const FAILED_TEST = /^(?: FAIL {2}|FAILED {2}|BROKEN | {2}\d+\) \[)/;
const FAILURE_LINES = 10;

type Options = {
  root: string;
  /** Continue after a failure. */
  all: boolean;
  /** How many steps run at a time. */
  lanes: number;
  print: (text: string) => unknown;
  onEnd?: (result: StepResult) => void;
};

export type StepResult = {
  step: Step;
  counts: Counts;
  seconds: number;
  /** The printed lines that the step shows. */
  figures: string[];
  /** The ids of guarantees whose tests passed. */
  proved: string[];
};

/** Runs the steps and prints the result of each. Returns the number of their tests. */
export async function runSteps(
  steps: readonly Step[],
  { root, all, lanes, print, onEnd }: Options,
): Promise<Counts> {
  let total = NO_TESTS;
  let stopped = false;
  /** Printed at the end, because a CI service may keep only the last lines. */
  const summary: string[] = [];
  const provided: Record<string, string> = {};
  const width = Math.max(...steps.map(({ name }) => name.length));

  async function run(step: Step): Promise<void> {
    if (stopped) return;
    const start = performance.now();
    const { counts, problem, output, proved, processorSeconds } = await runStep(step, root, provided);
    const seconds = (performance.now() - start) / 1_000;
    const figures = output.split('\n').filter((line) => step.shows?.test(line));
    const tests = step.tally ? `, ${counts.passed + counts.failed} tests` : '';
    const result = problem === undefined ? 'ok' : 'FAILED';
    const spent = `${seconds.toFixed(1)} s, ${processorSeconds.toFixed(0)} s of a processor`;
    print(`${step.name.padEnd(width)}  ${step.what} … ${result} in ${spent}${tests}\n`);
    // A failure outside the tests counts as one.
    const counted =
      problem !== undefined && counts.failed === 0 ? add(counts, { ...NO_TESTS, failed: 1 }) : counts;
    total = add(total, counted);
    onEnd?.({ step, counts: counted, seconds, figures, proved });
    if (problem === undefined) {
      Object.assign(provided, step.provides);
      for (const line of figures) print(`${line}\n`);
      return;
    }
    const end = `${step.name}: ${problem}\nRun only this step: npm run check -- --only ${step.name}\n\n`;
    print(`\n${tail(output, TAIL_LINES)}\n${end}`);
    summary.push(`${failures(output)}\n${end}`);
    stopped = !all;
  }

  const started = new Map<string, Promise<void>>();
  async function runAll(queue: Step[]): Promise<void> {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const step = next;
      const ended = (started.get(step.needs ?? '') ?? Promise.resolve()).then(() => run(step));
      started.set(step.name, ended);
      await ended;
    }
  }
  const queue = [...steps];
  await Promise.all(Array.from({ length: lanes }, () => runAll(queue)));
  if (all && summary.length > 0) print(`\nWhat failed:\n\n${summary.join('')}`);
  return total;
}

/** What the ended children of this process took of a processor, with theirs, in seconds. Only Linux says it. */
function spentByChildren(): number {
  if (!existsSync('/proc/self/stat')) return 0;
  // The fields after the name of the program, in hundredths. Of engines, which outlive their step, it has nothing.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

let spentSoFar = spentByChildren();

type Outcome = {
  counts: Counts;
  problem: string | undefined;
  output: string;
  proved: string[];
  processorSeconds: number;
};

async function runStep(step: Step, root: string, provided: Record<string, string>): Promise<Outcome> {
  const folder = join(root, '.settee/check');
  mkdirSync(folder, { recursive: true });
  const report = join(folder, `${step.name}.json`);
  rmSync(report, { force: true });
  const { FORCE_COLOR: _, NO_COLOR: __, ...inherited } = process.env;
  const environment = {
    ...inherited,
    // Playwright sets FORCE_COLOR for its workers. Node warns if NO_COLOR is set too.
    ...(step.tally === 'playwright' ? { FORCE_COLOR: '0' } : { NO_COLOR: '1' }),
    PATH: [join(root, 'node_modules/.bin'), inherited.PATH].join(delimiter),
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    // The steps start hundreds of programs from the same sources. With the cache each start takes half the CPU time.
    NODE_COMPILE_CACHE: join(root, '.settee/compileCache'),
    ...provided,
    ...step.environment,
  };
  const [program = '', ...args] = step.command.split(' ').map((part) => part.replace(REPORT, report));
  const child = spawn(program, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: step.minutes * 60_000,
    env: environment,
  });
  const log = createWriteStream(join(folder, `${step.name}.log`));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      log.write(chunk);
    });
  }
  let processorSeconds = 0;
  child.once('exit', () => {
    const before = spentSoFar;
    spentSoFar = spentByChildren();
    processorSeconds = spentSoFar - before;
  });
  const exit = await new Promise<string | undefined>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => {
      if (code === 0) resolve(undefined);
      else if (signal === null) resolve(`exit code ${code}`);
      else resolve(`ended by ${signal} (limit: ${step.minutes} minutes)`);
    });
  });
  log.end();
  const { counts, passed } = readReport(step, output, report) ?? {};
  return {
    counts: counts ?? NO_TESTS,
    problem: problemOf(step, counts, exit),
    output,
    proved: idsIn(passed ?? []),
    processorSeconds,
  };
}

function readReport(
  { tally }: Step,
  output: string,
  report: string,
): { counts: Counts | undefined; passed: string[] } | undefined {
  if (tally === undefined) return undefined;
  if (tally === 'printed') return { counts: printedCounts(output), passed: printedPassed(output) };
  if (!existsSync(report)) return undefined;
  const json = readFileSync(report, 'utf8');
  return tally === 'vitest'
    ? { counts: vitestCounts(json), passed: vitestPassed(json) }
    : { counts: playwrightCounts(json), passed: playwrightPassed(json) };
}

function problemOf(
  { tally }: Step,
  counts: Counts | undefined,
  exit: string | undefined,
): string | undefined {
  if (tally === undefined) return exit;
  if (counts === undefined) return exit ?? 'no test report';
  if (counts.failed > 0) return `${counts.failed} tests failed`;
  // A runner that finds no test passes. The check must not.
  return exit ?? (counts.passed === 0 ? 'no test ran' : undefined);
}

function tail(output: string, count: number): string {
  const lines = output.trimEnd().split('\n');
  if (lines.length <= count) return lines.join('\n');
  return [`(the last ${count} of ${lines.length} lines)`, ...lines.slice(-count)].join('\n');
}

/** The failed tests with the first lines of their errors, or the last lines if no test failed. */
function failures(output: string): string {
  const lines = output.trimEnd().split('\n');
  const starts = lines.flatMap((line, at) => (FAILED_TEST.test(line) ? [at] : []));
  const parts = starts.map((at, nth) =>
    lines.slice(at, Math.min(at + FAILURE_LINES, starts[nth + 1] ?? Infinity)),
  );
  return parts.length > 0 ? parts.flat().join('\n') : tail(output, FAILURE_LINES);
}

import { spawn } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { add, type Counts, NO_TESTS, playwrightCounts, printedCounts, vitestCounts } from './counts.ts';
import { REPORT, type Step } from './steps.ts';

const TAIL_LINES = 200;

type Options = {
  root: string;
  /** Go on after a failure. */
  all: boolean;
  print: (text: string) => unknown;
};

type Outcome = { counts: Counts; problem?: string; output: string };

/** Runs the steps and says how each went. A step that fails without a failed test counts as one. */
export async function runSteps(steps: Step[], { root, all, print }: Options): Promise<Counts> {
  let total = NO_TESTS;
  const left: Record<string, string> = {};
  const width = Math.max(...steps.map(({ name }) => name.length));
  for (const step of steps) {
    print(`${step.name.padEnd(width)}  ${step.what} … `);
    const started = performance.now();
    const { counts, problem, output } = await runStep(step, root, left);
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    const tests = step.tally ? `, ${counts.passed + counts.failed} tests` : '';
    print(`${problem === undefined ? 'ok' : 'FAILED'} in ${seconds} s${tests}\n`);
    total = add(total, counts);
    if (problem === undefined) {
      Object.assign(left, step.leaves);
      print(figures(step, output));
      continue;
    }
    if (counts.failed === 0) total = add(total, { ...NO_TESTS, failed: 1 });
    print(
      `\n${tail(output)}\n${step.name}: ${problem}\nAgain, this alone: npm run check -- --only ${step.name}\n\n`,
    );
    if (!all) break;
  }
  return total;
}

async function runStep(step: Step, root: string, left: Record<string, string>): Promise<Outcome> {
  if (!existsSync(join(root, step.entry))) {
    return { counts: NO_TESTS, problem: `${step.entry} is missing`, output: '' };
  }
  const folder = join(root, '.settee/check');
  mkdirSync(folder, { recursive: true });
  const report = join(folder, `${step.name}.json`);
  rmSync(report, { force: true });
  const ended = await runCommand(step, { root, report, log: join(folder, `${step.name}.log`), left });
  const { counts, problem } = judge(step, { ...ended, report });
  return { counts, output: ended.output, ...(problem === undefined ? {} : { problem }) };
}

type Ended = { output: string; problem?: string };

function judge(step: Step, ended: Ended & { report: string }): { counts: Counts; problem?: string } {
  if (step.tally === undefined) {
    return ended.problem === undefined ? { counts: NO_TESTS } : { counts: NO_TESTS, problem: ended.problem };
  }
  const counts = readCounts(step.tally, ended);
  if (counts === undefined) {
    return { counts: NO_TESTS, problem: ended.problem ?? 'it did not tell which tests it ran' };
  }
  if (counts.failed > 0) return { counts, problem: `${counts.failed} tests failed` };
  if (ended.problem !== undefined) return { counts, problem: ended.problem };
  // A runner that finds no test passes; a check that tested nothing must not.
  if (counts.passed === 0) return { counts, problem: 'it ran no test' };
  return { counts };
}

function readCounts(tally: NonNullable<Step['tally']>, { output, report }: Ended & { report: string }) {
  if (tally === 'printed') return printedCounts(output);
  if (!existsSync(report)) return undefined;
  const json = readFileSync(report, 'utf8');
  return tally === 'vitest' ? vitestCounts(json) : playwrightCounts(json);
}

type Around = { root: string; report: string; log: string; left: Record<string, string> };

function runCommand(step: Step, files: Around): Promise<Ended> {
  const { promise, resolve } = Promise.withResolvers<Ended>();
  const [program, ...args] = step.command.map((part) => part.replace(REPORT, files.report));
  const child = spawn(program ?? '', args, {
    cwd: files.root,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: step.minutes * 60_000,
    env: environment(step, files),
  });
  const log = createWriteStream(files.log);
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => {
      chunks.push(chunk);
      log.write(chunk);
    });
  }
  child.on('error', (error) => resolve({ output: chunks.join(''), problem: error.message }));
  child.on('close', (code, signal) => {
    log.end();
    const output = chunks.join('');
    if (code === 0) resolve({ output });
    else if (signal === null) resolve({ output, problem: `it ended with code ${code}` });
    else resolve({ output, problem: `it was ended by ${signal} (it may take ${step.minutes} minutes)` });
  });
  return promise;
}

function environment({ tally }: Step, { root, report, left }: Around): NodeJS.ProcessEnv {
  const { FORCE_COLOR: _, NO_COLOR: __, ...env } = process.env;
  return {
    ...env,
    // Playwright forces colours on its workers, and every process they start would complain of the contradiction.
    ...(tally === 'playwright' ? { FORCE_COLOR: '0' } : { NO_COLOR: '1' }),
    PATH: [join(root, 'node_modules/.bin'), env.PATH].join(delimiter),
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    ...left,
  };
}

function figures({ shows }: Step, output: string): string {
  if (shows === undefined) return '';
  return output
    .split('\n')
    .filter((line) => shows.test(line))
    .map((line) => `${line}\n`)
    .join('');
}

function tail(output: string): string {
  const lines = output.trimEnd().split('\n');
  if (lines.length <= TAIL_LINES) return lines.join('\n');
  return [`(the last ${TAIL_LINES} of ${lines.length} lines)`, ...lines.slice(-TAIL_LINES)].join('\n');
}

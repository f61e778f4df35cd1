// How many tests really ran, from what the runners report about themselves.

export type Counts = { passed: number; failed: number; skipped: number };

export const NO_TESTS: Counts = { passed: 0, failed: 0, skipped: 0 };

export function add(left: Counts, right: Counts): Counts {
  return {
    passed: left.passed + right.passed,
    failed: left.failed + right.failed,
    skipped: left.skipped + right.skipped,
  };
}

/** The closing line, for people and for machines. */
export function closingLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
};

export function vitestCounts(json: string): Counts {
  const report = JSON.parse(json) as VitestReport;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
};

/** On a machine that others use too, one browser test in a hundred may need a second try. */
const SECOND_TRIES = 0.01;

/** A flaky test failed once and passed when tried again. One in a hundred is an accident; more are a fault, and count so. */
export function playwrightCounts(json: string): Counts {
  const { stats } = JSON.parse(json) as PlaywrightReport;
  const all = stats.expected + stats.unexpected + stats.flaky;
  const forgiven = stats.flaky <= Math.max(1, all * SECOND_TRIES) ? stats.flaky : 0;
  return {
    passed: stats.expected + forgiven,
    failed: stats.unexpected + stats.flaky - forgiven,
    skipped: stats.skipped,
  };
}

/** From the last line of this shape in a program's output; undefined when there is none. */
export function printedCounts(output: string): Counts | undefined {
  const last = [...output.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)].at(-1);
  if (last === undefined) return undefined;
  return { passed: Number(last[1]), failed: Number(last[2]), skipped: Number(last[3] ?? 0) };
}

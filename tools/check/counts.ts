// What ran, from the reports of the runners: the number of tests, and the guarantees that passed tests prove.

export type Counts = { passed: number; failed: number; skipped: number };

/** The ids of guarantees in titles: `[MSG-01] …`. */
const ID = /\[([A-Z][A-Z0-9]*-\d+)\]/g;

export function idsIn(titles: readonly string[]): string[] {
  return [...new Set(titles.flatMap((title) => [...title.matchAll(ID)].map(([, id]) => id ?? '')))];
}

export const NO_TESTS: Counts = { passed: 0, failed: 0, skipped: 0 };

export function add(left: Counts, right: Counts): Counts {
  return {
    passed: left.passed + right.passed,
    failed: left.failed + right.failed,
    skipped: left.skipped + right.skipped,
  };
}

/** The last line of the check. CI parses it. */
export function closingLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

export function vitestCounts(json: string): Counts {
  const report = JSON.parse(json) as Record<
    'numPassedTests' | 'numFailedTests' | 'numPendingTests' | 'numTodoTests',
    number
  >;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** No test has a second try, so a flaky test (Playwright's word for one that passed then) counts as failed. */
export function playwrightCounts(json: string): Counts {
  const { stats } = JSON.parse(json) as {
    stats: Record<'expected' | 'unexpected' | 'flaky' | 'skipped', number>;
  };
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
  };
}

/** From the last closing line in a program's output. */
export function printedCounts(output: string): Counts | undefined {
  const last = [...output.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)].at(-1);
  if (last === undefined) return undefined;
  return { passed: Number(last[1]), failed: Number(last[2]), skipped: Number(last[3] ?? 0) };
}

type VitestReport = { testResults: { assertionResults: { fullName: string; status: string }[] }[] };

export function vitestPassed(json: string): string[] {
  return (JSON.parse(json) as VitestReport).testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'passed').map(({ fullName }) => fullName),
  );
}

type PlaywrightSuite = {
  title: string;
  specs: { title: string; tests: { status: string }[] }[];
  suites?: PlaywrightSuite[];
};

export function playwrightPassed(json: string): string[] {
  const titles = ({ title, specs, suites = [] }: PlaywrightSuite): string[] => [
    ...specs
      .filter(({ tests }) => tests.some(({ status }) => status === 'expected'))
      .map((spec) => `${title} ${spec.title}`),
    ...suites.flatMap(titles),
  ];
  return (JSON.parse(json) as { suites: PlaywrightSuite[] }).suites.flatMap(titles);
}

/** A program prints a line for each thing that it proves. */
export function printedPassed(output: string): string[] {
  return output.split('\n').filter((line) => line.startsWith('ok '));
}

import { expect, test } from 'vitest';
import { add, closingLine, playwrightCounts, printedCounts, vitestCounts } from './counts.ts';

test('a vitest report counts tests, not files', () => {
  const report = {
    numTotalTestSuites: 9,
    numPassedTestSuites: 9,
    numPassedTests: 5,
    numFailedTests: 1,
    numPendingTests: 2,
    numTodoTests: 1,
  };
  expect(vitestCounts(JSON.stringify(report))).toEqual({ passed: 5, failed: 1, skipped: 3 });
});

test('one browser test in a hundred may need a second try, more count as failed', () => {
  const counts = (unexpected: number, flaky: number) => {
    const expected = 300 - unexpected - flaky;
    return playwrightCounts(JSON.stringify({ stats: { expected, unexpected, flaky, skipped: 3 } }));
  };
  expect(counts(0, 3)).toEqual({ passed: 300, failed: 0, skipped: 3 });
  expect(counts(1, 3)).toEqual({ passed: 299, failed: 1, skipped: 3 });
  expect(counts(1, 4)).toEqual({ passed: 295, failed: 5, skipped: 3 });
});

test('printed counts are read from the last line of their shape', () => {
  expect(printedCounts('1 passed, 2 failed\nmore\n3 passed, 0 failed, 4 skipped\n')).toEqual({
    passed: 3,
    failed: 0,
    skipped: 4,
  });
  expect(printedCounts('about 3 passed, 0 failed')).toBeUndefined();
});

test('the closing line names skipped tests only when there are any', () => {
  const some = { passed: 1, failed: 2, skipped: 0 };
  expect(closingLine(some)).toBe('1 passed, 2 failed');
  expect(closingLine(add(some, { passed: 1, failed: 0, skipped: 1 }))).toBe('2 passed, 2 failed, 1 skipped');
});

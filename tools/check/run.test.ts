import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runSteps } from './run.ts';
import type { Step } from './steps.ts';

const root = mkdtempSync(join(tmpdir(), 'settee-check-'));

beforeAll(() => writeFileSync(join(root, 'entry'), ''));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function step(name: string, script: string, more: Partial<Step> = {}): Step {
  return { name, what: name, command: [process.execPath, '-e', script], entry: 'entry', minutes: 1, ...more };
}

async function check(steps: Step[], all = false) {
  const printed: string[] = [];
  const counts = await runSteps(steps, { root, all, print: (text) => printed.push(text) });
  return { counts, printed: printed.join('') };
}

const passes = step('tests', 'console.log("3 passed, 0 failed")', { tally: 'printed' });

test('sums the tests that ran, and counts no other step', async () => {
  const { counts } = await check([step('lint', ''), passes, { ...passes, name: 'again' }]);
  expect(counts).toEqual({ passed: 6, failed: 0, skipped: 0 });
});

test('a step that fails stops the run, shows its output and counts as failed', async () => {
  const { counts, printed } = await check([step('lint', 'console.error("why"); process.exit(3)'), passes]);
  expect(counts).toEqual({ passed: 0, failed: 1, skipped: 0 });
  expect(printed).toContain('why');
  expect(printed).toContain('lint: it ended with code 3');
});

test('with all, the steps after a failure run too', async () => {
  const { counts } = await check([step('lint', 'process.exit(1)'), passes], true);
  expect(counts).toEqual({ passed: 3, failed: 1, skipped: 0 });
});

test.each([
  [
    'failed tests behind exit code 0',
    step('t', 'console.log("3 passed, 2 failed")', { tally: 'printed' }),
    2,
  ],
  ['no test at all', step('t', 'console.log("0 passed, 0 failed")', { tally: 'printed' }), 1],
  ['no report', step('t', '', { tally: 'vitest' }), 1],
  ['a missing entry', step('t', '', { entry: 'nowhere.ts' }), 1],
  ['a missing program', step('t', '', { command: ['no-such-program'] }), 1],
  ['a step that hangs', step('t', 'setInterval(() => {}, 1000)', { minutes: 0.005 }), 1],
])('%s fails the check', async (_, failing, failed) => {
  const { counts, printed } = await check([failing]);
  expect(counts.failed).toBe(failed);
  expect(printed).toContain('FAILED');
});

test('reads the report that a runner writes where it is told to', async () => {
  const report = '{"numPassedTests":4,"numFailedTests":0,"numPendingTests":1,"numTodoTests":0}';
  const script = `require('node:fs').writeFileSync(process.argv[1], '${report}')`;
  const { counts } = await check([
    step('unit', '', { tally: 'vitest', command: [process.execPath, '-e', script, '{report}'] }),
  ]);
  expect(counts).toEqual({ passed: 4, failed: 0, skipped: 1 });
});

test('a step that passes shows the lines it is asked for, and no others', async () => {
  const script = 'console.log("noise\\n  12 of 85 kB\\n1 passed, 0 failed")';
  const { printed } = await check([step('sizes', script, { tally: 'printed', shows: /kB/ })]);
  expect(printed).toContain('\n  12 of 85 kB\n');
  expect(printed).not.toContain('noise');
});

test('what a step leaves is there for those after it, if it passed', async () => {
  const looks = step('look', 'console.log(process.env.LEFT + " passed, 0 failed")', { tally: 'printed' });
  const leaves = { LEFT: '7' };
  expect((await check([step('build', '', { leaves }), looks])).counts.passed).toBe(7);
  expect((await check([step('build', 'process.exit(1)', { leaves }), looks], true)).counts.failed).toBe(2);
});

test('what a worker of Playwright starts has nothing to complain of about colours', async () => {
  // As Playwright starts its workers; Node complains when it is asked for colours under both.
  const script = `process.env.FORCE_COLOR = '1';
    require('node:tty').WriteStream.prototype.getColorDepth();
    setImmediate(() => process.exit(1));`;
  expect((await check([step('e2e', script, { tally: 'playwright' })])).printed).not.toContain('NO_COLOR');
});

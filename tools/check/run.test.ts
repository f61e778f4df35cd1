import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { playwrightCounts } from './counts.ts';
import { recordProof, writeProofPage } from './proof.ts';
import { runSteps, type StepResult } from './run.ts';
import { type Step, shard, steps } from './steps.ts';

const root = mkdtempSync(join(tmpdir(), 'settee-check-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function step(name: string, script: string, more: Partial<Step> = {}): Step {
  const file = join(root, `${name}.cjs`);
  writeFileSync(file, script);
  return { name, what: name, command: `${process.execPath} ${file}`, minutes: 1, ...more };
}

async function check(list: Step[], all = false) {
  const printed: string[] = [];
  const counts = await runSteps(list, { root, all, print: (text) => printed.push(text) });
  return { counts, printed: printed.join('') };
}

const prints = (name: string, line: string) => step(name, `console.log(${line})`, { tally: 'printed' });
const passes = prints('tests', '"3 passed, 0 failed"');

test('the check sums the tests, stops at a failure and prints its output', async () => {
  const failed = join(root, 'failed');
  const fails = step(
    'lint',
    `console.error("why"); require('node:fs').writeFileSync('${failed}', ''); process.exit(3)`,
  );
  // The slow step runs beside it until after its failure, and no other one starts.
  const slow = step(
    'slow',
    `const end = () => console.log("1 passed, 0 failed");
    const look = () => setTimeout(...(require('node:fs').existsSync('${failed}') ? [end, 2_000] : [look, 20]));
    look();`,
    { tally: 'printed' },
  );
  expect((await check([step('types', ''), passes, passes])).counts).toEqual({
    passed: 6,
    failed: 0,
    skipped: 0,
  });
  const whole = await check([fails, passes], true);
  expect(whole.counts).toEqual({ passed: 3, failed: 1, skipped: 0 });
  // A CI service may keep only the last lines, so a run that continues ends with its failures.
  expect(whole.printed).toMatch(
    /tests … ok[\s\S]*What failed:\n\nwhy\nlint: exit code 3\nRun only this step: .*\n\n$/,
  );
  rmSync(failed);
  const { counts, printed } = await check([fails, slow, passes]);
  expect(counts).toEqual({ passed: 1, failed: 1, skipped: 0 });
  expect(printed).toMatch(/why[\s\S]*lint: exit code 3/);
});

test.each([
  ['failed tests with exit code 0', prints('a', '"3 passed, 2 failed"'), 2],
  ['no test', prints('b', '"0 passed, 0 failed"'), 1],
  ['no report', step('c', '', { tally: 'vitest' }), 1],
  ['a missing program', step('d', '', { command: 'no-such-program' }), 1],
  ['a timeout', step('e', 'setInterval(() => {}, 1000)', { minutes: 0.005 }), 1],
])('%s fails the check', async (_, failing, failed) => {
  const { counts, printed } = await check([failing]);
  expect(counts.failed).toBe(failed);
  expect(printed).toContain('FAILED');
});

test.each([
  ['vitest', ' FAIL  |int| server/a.test.ts > it works'],
  ['playwright', '  1) [product] › e2e/a.spec.ts:1:1 › it works ───'],
  ['ops', 'FAILED  [OPS-53] it works (0.3 s)'],
  ['faults', 'BROKEN it works'],
])('a whole check ends with the failed tests of %s', async (_, line) => {
  const noise = Array.from({ length: 500 }, (__, at) => `noise ${at}`);
  const output = [...noise, line, 'Error: why', ...noise, '1 passed, 1 failed'].join('\n');
  const { printed } = await check([prints('fails', JSON.stringify(output)), passes], true);
  const summary = printed.slice(printed.indexOf('What failed:'));
  expect(summary).toContain(`${line}\nError: why\nnoise 0\n`);
  expect(summary.split('\n').length).toBeLessThan(20);
});

test('the check reads the report of a runner', async () => {
  const report = '{"numPassedTests":4,"numFailedTests":0,"numPendingTests":1,"numTodoTests":0}';
  const unit = step('unit', `require('node:fs').writeFileSync(process.argv[2], '${report}')`, {
    tally: 'vitest',
  });
  const { counts } = await check([{ ...unit, command: `${unit.command} {report}` }]);
  expect(counts).toEqual({ passed: 4, failed: 0, skipped: 1 });
});

test('a step that passes shows its figures and provides its environment', async () => {
  const shows = { tally: 'printed', shows: /kB/ } as const;
  const sizes = step('sizes', 'console.log("noise\\n  12 of 85 kB\\n1 passed, 0 failed")', shows);
  expect((await check([sizes])).printed).toMatch(/tests\n {2}12 of 85 kB\n$/);
  const provides = { COUNT: '7' };
  const reads = prints('reads', 'process.env.COUNT + " passed, 0 failed"');
  expect((await check([step('build', '', { provides }), { ...reads, needs: 'build' }])).counts.passed).toBe(
    7,
  );
  expect(
    (await check([step('build', 'process.exit(1)', { provides }), { ...reads, needs: 'build' }], true)).counts
      .failed,
  ).toBe(2);
});

test('two steps run at a time, one that measures time runs last and alone, and a step waits for the one it needs', async () => {
  const at = (name: string, more: Partial<Step> = {}) =>
    step(
      name,
      `const write = (what) => require('node:fs').appendFileSync('${root}/order', what + ' ');
      write('+${name}'); setTimeout(() => write('-${name}'), 1_000)`,
      more,
    );
  await check([at('m', { alone: true }), at('a'), at('b', { needs: 'a' }), at('c')]);
  const order = readFileSync(join(root, 'order'), 'utf8').trim().split(' ');
  expect(order.slice(-2)).toEqual(['+m', '-m']);
  expect(order.indexOf('+b')).toBeGreaterThan(order.indexOf('-a'));
  expect(order.indexOf('-b')).toBeGreaterThan(order.indexOf('+c'));
});

test('a browser test that passes only on a second try counts as failed', () => {
  const stats = { expected: 3, unexpected: 1, flaky: 1, skipped: 0 };
  expect(playwrightCounts(JSON.stringify({ stats }))).toEqual({ passed: 3, failed: 2, skipped: 0 });
});

test('the shards contain every step, and what a step needs', () => {
  const shards = [1, 2, 3].map((index) => shard(steps, index, 3).map(({ name }) => name));
  expect(new Set(shards.flat())).toEqual(new Set(steps.map(({ name }) => name)));
  for (const names of shards) if (names.includes('sizes')) expect(names).toContain('build');
});

test('the nightly run writes the page of its last results and keeps what was written by hand', async () => {
  mkdirSync(join(root, 'docs'));
  const page = join(root, 'docs/proof.md');
  writeFileSync(page, 'an older page\n\n## Found and fixed\n\nA lost message.\n');
  execFileSync('git', ['init', '-q'], { cwd: root });
  execFileSync(
    'git',
    ['-c', 'user.name=a', '-c', 'user.email=a@b.example', 'commit', '-qm', 'first', '--allow-empty'],
    { cwd: root },
  );
  const faults = step(
    'faults',
    'console.log("noise\\n  9 of 9 found\\n  round\\n  round\\n3 passed, 1 failed")',
    {
      tally: 'printed',
      shows: /^ {2}\S/,
    },
  );
  const list = [faults, passes];
  const onEnd = (result: StepResult): void => recordProof(root, result);
  await runSteps([faults], { root, all: true, print: () => {}, onEnd });
  await runSteps([passes], { root, all: true, print: () => {}, onEnd });
  writeProofPage(root, list);
  const written = readFileSync(page, 'utf8');
  expect(written).toMatch(/\| faults \| faults \| \d+ s \| 3 passed, 1 failed \| [-\d]{10}, \w{8} \|/);
  expect(written).toContain('| 3 passed, 0 failed |');
  expect(written).toContain('### faults\n\n```text\n  9 of 9 found\n  round (2 times)\n```\n');
  expect(written).not.toContain('noise');
  expect(written).toMatch(/\n\n## Found and fixed\n\nA lost message.\n$/);
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { playwrightCounts, playwrightPassed, vitestPassed } from './counts.ts';
import { unprovedGuarantees } from './guarantees.ts';
import { outdatedProofs, recordProof, writeProofPage } from './proof.ts';
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
  const results: StepResult[] = [];
  const counts = await runSteps(list, {
    root,
    all,
    lanes: 2,
    print: (text) => printed.push(text),
    onEnd: (result) => results.push(result),
  });
  return { counts, printed: printed.join(''), results };
}

const prints = (name: string, line: string) => step(name, `console.log(${line})`, { tally: 'printed' });
const passes = prints('tests', '"ok     [MSG-01] it works\\n3 passed, 0 failed"');

test('the check sums the tests, and ends with what failed', async () => {
  const fails = step('lint', 'console.error("why"); process.exit(3)');
  expect((await check([step('types', ''), passes, passes])).counts).toMatchObject({ passed: 6, failed: 0 });
  const whole = await check([fails, passes], true);
  expect(whole.counts).toMatchObject({ passed: 3, failed: 1 });
  // A CI service may keep only the last lines.
  expect(whole.printed).toMatch(/What failed:\n\nwhy\nlint: exit code 3\nRun only this step: .*\n\n$/);
  expect((await check([{ ...passes, needs: 'lint' }, fails].toReversed())).counts.passed).toBe(0);
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

test('the shards contain every step, and what a step needs', () => {
  const shards = [1, 2, 3].map((index) => shard(steps, index, 3).map(({ name }) => name));
  expect(new Set(shards.flat())).toEqual(new Set(steps.map(({ name }) => name)));
  for (const names of shards) if (names.includes('sizes')) expect(names).toContain('build');
});

test('only a test that ran and passed proves a guarantee', async () => {
  const assertionResults = [
    { fullName: 'group [MSG-04] it works', status: 'passed' },
    { fullName: '[MSG-05] it does not', status: 'failed' },
  ];
  expect(vitestPassed(JSON.stringify({ testResults: [{ assertionResults }] }))).toEqual([
    'group [MSG-04] it works',
  ]);
  const specs = ['expected', 'skipped', 'flaky'].map((status) => ({ title: status, tests: [{ status }] }));
  const suites = [{ title: 'a.spec.ts', specs: [], suites: [{ title: '[V-01]', specs }] }];
  expect(playwrightPassed(JSON.stringify({ suites }))).toEqual(['[V-01] expected']);
  // A second try is not a pass.
  const stats = { expected: 3, unexpected: 1, flaky: 1, skipped: 0 };
  expect(playwrightCounts(JSON.stringify({ stats }))).toEqual({ passed: 3, failed: 2, skipped: 0 });

  const { results } = await check([
    passes,
    prints('more', '"BROKEN [MSG-04] it works\\n1 passed, 1 failed"'),
  ]);
  expect(results.flatMap(({ proved }) => proved)).toEqual(['MSG-01']);
  mkdirSync(join(root, 'docs'), { recursive: true });
  writeFileSync(join(root, 'docs/behaviour.md'), '- **MSG-01** One.\n- **MSG-04** Two.\n');
  expect(unprovedGuarantees(root, new Set(['MSG-01']))).toEqual(['MSG-04']);
});

test('the nightly run writes the page of its last results, and the check sees which never ran', async () => {
  mkdirSync(join(root, 'docs'), { recursive: true });
  const page = join(root, 'docs/proof.md');
  writeFileSync(page, 'an older page\n\n## Found and fixed\n\nA lost message.\n');
  const person = ['-c', 'user.name=a', '-c', 'user.email=a@b.example'];
  for (const args of [
    ['init', '-q'],
    ['commit', '-qm', 'first', '--allow-empty'],
  ])
    execFileSync('git', [...person, ...args], { cwd: root });
  const output = JSON.stringify('noise\n  9 of 9 found\n  round\n  round\n3 passed, 0 failed');
  const faults = { ...prints('faults', output), shows: /^ {2}\S/ };
  for (const { results } of [await check([faults]), await check([passes])])
    for (const result of results) recordProof(root, result);
  writeProofPage(root, [faults, passes]);
  const written = readFileSync(page, 'utf8');
  expect(written).toMatch(/\| faults \| faults \| \d+ s \| 3 passed, 0 failed \| [-\d]{10}, \w{8} \|/);
  expect(written).toContain('### faults\n\n```text\n  9 of 9 found\n  round (2 times)\n```\n');
  expect(written).not.toContain('noise');
  expect(written).toMatch(/\n\n## Found and fixed\n\nA lost message.\n$/);

  expect(outdatedProofs(root, ['faults', 'tests', 'region'])).toEqual(['region: never ran']);
});

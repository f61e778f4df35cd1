import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type EngineUrls, startEngines, stopEngines } from '../../../tools/engines/engines.ts';
import type { Findings, Run, Sabotage, Scenario } from '../scenario.ts';
import { onLeave, ROOT } from '../topology/installation.ts';
import { noticing } from './plantedFaults.ts';

type Place = { engines: EngineUrls; close(): Promise<void> };

/** Without brackets around an id: a line of this program proves no guarantee, but only that a test can fail. */
const nameOf = ({ file, title }: { file: string; title: string }): string =>
  `${title.replaceAll(/[[\]]/g, '')} (${file})`;

async function topology({ instance }: Run): Promise<Place> {
  onLeave(() => stopEngines({ instance }));
  const engines = await startEngines({ instance, require: true });
  return { engines, async close() {} };
}

/** Without a fault every test must pass, or its failure would prove nothing. */
async function prove({ engines }: Place, run: Run): Promise<Findings> {
  const wanted = noticing.filter((test) => run.sabotage?.mustBreak.includes(nameOf(test)) ?? true);
  const report = join(ROOT, '.settee/proof', `${run.name}.json`);
  mkdirSync(join(ROOT, '.settee/proof'), { recursive: true });
  rmSync(report, { force: true });
  const output = await vitest(run.build, [
    ...new Set(wanted.map(({ file }) => file)),
    ...['--project', 'unit', '--project', 'int', '--reporter=default', '--reporter=json'],
    `--outputFile.json=${report}`,
    `--testNamePattern=${wanted.map(({ title }) => title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')}`,
  ]);
  const results = existsSync(report) ? resultsIn(readFileSync(report, 'utf8')) : [];
  return Object.fromEntries(
    wanted.map((test) => {
      const { file, title } = test;
      const result = results.find((each) => each.title === title && each.file === join(run.build, file));
      // A file that cannot be loaded is no test that notices something.
      if (result === undefined) throw new Error(`No test "${title}" ran in ${file}:\n${output}`);
      return [nameOf(test), result.problems];
    }),
  );

  function vitest(build: string, options: readonly string[]): Promise<string> {
    const command = [join(build, 'node_modules/vitest/vitest.mjs'), 'run', '--root', build, ...options];
    // In the size of CI, with its inputs.
    const env = { ...process.env, ...engines, SETTEE_FULL: '' };
    return new Promise((done) => {
      const child = execFile(process.execPath, command, { cwd: build, env }, (_, out, err) =>
        done(out + err),
      );
      onLeave(async () => child.kill());
    });
  }
}

type Result = { file: string; title: string; problems: string[] };

function resultsIn(json: string): Result[] {
  const { testResults } = JSON.parse(json) as {
    testResults: {
      name: string;
      assertionResults: { title: string; status: string; failureMessages: string[] }[];
    }[];
  };
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ title, failureMessages }) => ({
        file: name,
        title,
        problems: failureMessages.map((message) => message.split('\n', 1)[0] ?? ''),
      })),
  );
}

const sabotages: Record<string, Sabotage> = Object.fromEntries(
  noticing.flatMap(({ guarantee, faults, ...test }) =>
    Object.entries(faults).map(([name, { what, ...fault }]) => [
      name,
      { ...fault, what: `${guarantee}: ${what}`, mustBreak: [nameOf(test)] },
    ]),
  ),
);

export const scenario: Scenario<Place> = {
  what: 'the tests of the guarantees notice faults planted in the product',
  topology,
  prove,
  checks: Object.fromEntries(noticing.map((test) => [nameOf(test), nameOf(test)])),
  sabotages,
};

// `npm run check`: everything that CI runs. `npm run nightly`: the full size of what CI runs in a small size.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { closingLine, idsIn } from '../tools/check/counts.ts';
import { unprovedGuarantees } from '../tools/check/guarantees.ts';
import { readProofs, recordProof, writeProofPage } from '../tools/check/proof.ts';
import { runSteps } from '../tools/check/run.ts';
import { nightlySteps, type Step, shard, steps } from '../tools/check/steps.ts';

const HELP = `npm run check [-- --all] [--only name,name] [--shard 1/3] [--nightly]

  --all      continue after a step that fails
  --only     run these steps: ${steps.map(({ name }) => name).join(', ')}
  --shard    run one part of the steps, for CI with several machines
  --nightly  run the long suites instead (npm run nightly)
`;

const { values } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    only: { type: 'string' },
    shard: { type: 'string' },
    nightly: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

function chosenSteps(): readonly Step[] {
  const list = values.nightly ? nightlySteps : steps;
  if (values.shard !== undefined) {
    const [, index, count] = /^(\d+)\/(\d+)$/.exec(values.shard) ?? [];
    return shard(list, Number(index), Number(count));
  }
  const names = values.only?.split(',');
  return names === undefined
    ? list
    : names.map((name) => list.find((step) => step.name === name)).filter((step) => step !== undefined);
}

const chosen = chosenSteps();
if (values.help || chosen.length < (values.only?.split(',').length ?? 1)) {
  console.log(HELP);
  process.exitCode = values.help ? 0 : 2;
} else {
  const root = join(import.meta.dirname, '..');
  const proved = new Set<string>();
  const total = await runSteps(chosen, {
    root,
    all: values.all,
    // Most steps of CI wait a lot. Those of the nightly run measure time and load.
    lanes: values.nightly ? 1 : 2,
    print: (text) => process.stdout.write(text),
    onEnd: (result) => {
      for (const id of result.proved) proved.add(id);
      if (values.nightly) recordProof(root, result);
    },
  });
  if (values.nightly) writeProofPage(root, nightlySteps);
  if (chosen === steps && total.failed === 0) {
    for (const { proved: ids } of Object.values(readProofs(root))) for (const id of ids) proved.add(id);
    // Some scenarios of the proof run only at night: docs/proof.md says when they ran last.
    const scenarios = execFileSync(process.execPath, ['e2e/proof/main.ts', '--list'], { cwd: root });
    for (const id of idsIn(scenarios.toString().split('\n'))) proved.add(id);
    const unproved = unprovedGuarantees(root, proved);
    for (const id of unproved) console.log(`No test that ran proves ${id} of docs/behaviour.md.`);
    total.failed += unproved.length;
  }
  console.log(closingLine(total));
  process.exitCode = total.failed === 0 ? 0 : 1;
}

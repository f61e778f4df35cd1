// `npm run check`: all that CI runs, in one command.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { closingLine } from '../tools/check/counts.ts';
import { runSteps } from '../tools/check/run.ts';
import { type Step, steps } from '../tools/check/steps.ts';

const HELP = `npm run check [-- --all] [--only name,name]

  --all    go on after a step that fails
  --only   run these steps: ${steps.map(({ name }) => name).join(', ')}
`;

function chosen(only: string | undefined): Step[] {
  if (only === undefined) return steps;
  const names = only.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !steps.some((step) => step.name === name));
  if (unknown.length > 0) throw new Error(`There is no step ${unknown.join(', ')}.\n\n${HELP}`);
  return steps.filter(({ name }) => names.includes(name));
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      all: { type: 'boolean', default: false },
      only: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const total = await runSteps(chosen(values.only), {
    root: join(import.meta.dirname, '..'),
    all: values.all,
    print: (text) => process.stdout.write(text),
  });
  console.log(closingLine(total));
  return total.failed === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}

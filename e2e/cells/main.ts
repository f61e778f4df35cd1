// Several cells behind one address: the router, and the death of one cell.
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fullSize, seedOr } from '../../tools/fullSize.ts';
import { Suite } from '../proof/suite.ts';
import { killOne, killProperties } from './killing.ts';
import { checkRoutes } from './routes.ts';
import { INSTANCES, ROOT, setStage } from './stage.ts';

const { values } = parseArgs({
  options: { seed: { type: 'string' }, keep: { type: 'boolean', default: false } },
});
const suite = new Suite();
const { log } = suite;

async function main(): Promise<void> {
  const wrong = await checkRoutes();
  console.log(
    `${wrong.length === 0 ? 'ok    ' : 'BROKEN'} [CELL-03] the router reads the cell of links and cookies`,
  );
  suite.examples(wrong);
  suite.tally(wrong.length === 0);
  const seed = Number(values.seed ?? seedOr(() => randomInt(1, 1_000_000)));
  const stage = await setStage(values.keep);
  log(`two cells behind one address, seed ${seed}`);
  try {
    const size = { desks: 2, chatsPerDesk: fullSize(2, 10), messages: fullSize(100, 5_000), seed };
    const historyPath = join(ROOT, '.settee', 'cells-a0', 'killing.jsonl');
    const { verdict, live, meanwhile } = await killOne(stage, size, { historyPath, log });
    console.log(
      `\n  ${verdict.acked} messages acknowledged in two cells, ${meanwhile} of them while one was dead`,
    );
    suite.evaluate(verdict, live, killProperties);
  } finally {
    await stage.close();
  }
}

await suite.run(main, { instances: INSTANCES, keep: values.keep });

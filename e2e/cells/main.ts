// Several cells behind one address: the router, the death of one cell, and the move of a desk to another.
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fullSize, seedOr } from '../../tools/fullSize.ts';
import { Suite } from '../proof/suite.ts';
import { killOne, killProperties } from './killing.ts';
import { moveOne, moveProperties } from './moving.ts';
import { checkRoutes } from './routes.ts';
import { INSTANCES, ROOT, setStage } from './stage.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    only: { type: 'string' },
    ended: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});
const suite = new Suite();
const { log } = suite;

async function main(): Promise<void> {
  const wrong = await checkRoutes();
  console.log(`${wrong.length === 0 ? 'ok    ' : 'BROKEN'} the router reads the cell of links and cookies`);
  suite.examples(wrong);
  suite.tally(wrong.length === 0);
  const seed = Number(values.seed ?? seedOr(() => randomInt(1, 1_000_000)));
  const stage = await setStage(values.keep);
  log(`two cells behind one address, seed ${seed}`);
  try {
    const folder = join(ROOT, '.settee', 'cells-a0');
    if (values.only !== 'move') {
      const size = { desks: 2, chatsPerDesk: fullSize(2, 10), messages: fullSize(100, 5_000), seed };
      const killed = await killOne(stage, size, { historyPath: join(folder, 'killing.jsonl'), log });
      console.log(
        `\n  ${killed.verdict.acked} messages acknowledged in two cells, ${killed.meanwhile} of them while one was dead`,
      );
      suite.evaluate(killed.verdict, killed.live, killProperties);
    }
    if (values.only !== 'kill') {
      const size = {
        chatsPerDesk: fullSize(4, 40),
        messages: fullSize(100, 5_000),
        ended: Number(values.ended ?? fullSize(100, 5_000)),
        seed,
      };
      const moved = await moveOne(stage, size, { historyPath: join(folder, 'moving.jsonl'), log });
      console.log(
        `\n  ${moved.verdict.acked} messages acknowledged around the move. ${moved.said.trim().split('\n').at(-1)}`,
      );
      suite.evaluate(moved.verdict, moved.live, moveProperties);
    }
  } finally {
    await stage.close();
  }
}

await suite.run(main, { instances: INSTANCES, keep: values.keep });

// Makes one picture: the file comes by standard input, the answer leaves by standard output, and that is all there is.
// Started by runChild.ts with the file's kind and the limits, as node child.ts <kind> <ms> <bytes>.
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { writeAnswer } from './answer.ts';
import { allowOnly, draw } from './draw.ts';
import { isKind } from './kinds.ts';

const LOOK_MS = 25;

/**
 * The parent watches too, and kills. This holds where the parent cannot see the memory, or is gone itself. libvips works
 * on other threads, so this one is awake.
 */
function keepWithin(milliseconds: number, memoryBytes: number): void {
  const end = (): void => {
    process.kill(process.pid, 'SIGKILL');
  };
  setTimeout(end, milliseconds).unref();
  setInterval(() => {
    if (process.memoryUsage.rss() > memoryBytes) end();
  }, LOOK_MS).unref();
}

const [kind, milliseconds, memoryBytes] = process.argv.slice(2);
if (!isKind(kind)) throw new Error('child.ts is started by runChild.ts');
keepWithin(Number(milliseconds), Number(memoryBytes));
allowOnly(kind);
const answer = await draw(await buffer(process.stdin), kind);
for (const part of writeAnswer(answer)) {
  if (!process.stdout.write(part)) await once(process.stdout, 'drain');
}

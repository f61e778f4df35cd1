// Started by runChild.int.test.ts with few file descriptors: uses all of them, runs a child, and again after closing
// them.
import { closeSync, openSync } from 'node:fs';
import { NO_ISOLATION } from '../../src/images/isolation.ts';
import { runChild } from '../../src/images/runChild.ts';
import { still } from './samples.ts';

const limits = {
  program: process.execPath,
  script: new URL('../../src/images/child.ts', import.meta.url).pathname,
  cpuMs: 30_000,
  wallMs: 60_000,
  memoryBytes: 2 ** 29,
  isolation: NO_ISOLATION,
};
const file = await still('gif');
const word = (answer: Awaited<ReturnType<typeof runChild>>): string =>
  'picture' in answer ? 'ok' : Object.values(answer).join();

const taken: number[] = [];
try {
  for (;;) taken.push(openSync('/dev/null', 'r'));
} catch {
  // No descriptor is left.
}
const without = await runChild(file, 'gif', limits);
for (const each of taken) closeSync(each);
process.stdout.write(`${word(without)}, then ${word(await runChild(file, 'gif', limits))}\n`);

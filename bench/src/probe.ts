// Loaded before a server whose memory is measured: collects garbage when asked, then says what is left.
import { setTimeout as sleep } from 'node:timers/promises';

export type Memory = { heap: number; external: number };

const ROUNDS = 6;
type Collect = (options?: { type: 'major'; flavor: 'last-resort' }) => void;

process.on('message', () => {
  settle().catch((error: unknown) => console.error(error));
});
// The line must not keep a server alive that wants to end.
process.channel?.unref();

async function settle(): Promise<void> {
  const collect = (globalThis as { gc?: Collect }).gc;
  if (collect === undefined) throw new Error('start with --expose-gc');
  for (let round = 0; round < ROUNDS; round += 1) {
    collect({ type: 'major', flavor: 'last-resort' });
    await sleep(100);
  }
  const { heapUsed, external } = process.memoryUsage();
  process.send?.({ heap: heapUsed, external } satisfies Memory);
}

// Loaded into a server whose memory is measured: collects garbage on request and reports the rest.
import { setTimeout as sleep } from 'node:timers/promises';

export type Memory = { heap: number; external: number };

const ROUNDS = 6;
type Collect = (options?: { type: 'major'; flavor: 'last-resort' }) => void;

process.on('message', () => {
  settle().catch((error: unknown) => console.error(error));
});
// The IPC channel must not keep the server running.
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

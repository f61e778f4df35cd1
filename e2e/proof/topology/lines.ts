import { Worker } from 'node:worker_threads';
import type { LinePorts, LinesSetup, LineTask } from './linesWorker.ts';

/** The simulated network, and its commands. */
export type Lines = LinePorts & {
  ask(task: LineTask): Promise<number>;
  close(): Promise<void>;
};

/**
 * The network runs in its own thread, because the clients keep this one busy.
 */
export async function startLines(setup: LinesSetup): Promise<Lines> {
  const worker = new Worker(new URL('./linesWorker.ts', import.meta.url), { workerData: setup });
  const waiting = new Map<number, (answer: number) => void>();
  let count = 0;
  const ports = await new Promise<LinePorts>((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', resolve);
  });
  worker.on('message', ({ number, answer }: { number: number; answer: number }) => {
    waiting.get(number)?.(answer);
    waiting.delete(number);
  });
  return {
    ...ports,
    ask: (task) =>
      new Promise((resolve) => {
        count += 1;
        waiting.set(count, resolve);
        worker.postMessage({ number: count, task });
      }),
    close: async () => void (await worker.terminate()),
  };
}

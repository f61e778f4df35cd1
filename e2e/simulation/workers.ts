import { Worker } from 'node:worker_threads';
import type { Patch } from '../proof/patch.ts';
import type { Asked, Ran } from './worker.ts';

/** A thread with its own copy of the product, which may have a planted fault. */
export class Simulator {
  readonly #worker: Worker;

  constructor(fault?: Patch) {
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: fault });
  }

  run(asked: Asked): Promise<Ran[]> {
    return new Promise((resolve, reject) => {
      this.#worker.once('error', reject);
      this.#worker.once('message', (ran: Ran[]) => {
        this.#worker.off('error', reject);
        resolve(ran);
      });
      this.#worker.postMessage(asked);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

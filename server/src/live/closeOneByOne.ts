import { setTimeout as sleep } from 'node:timers/promises';
import { CLOSE_RESTART } from '@settee/protocol/frames/down';
import type { Socket } from './connection.ts';

/**
 * At shutdown sockets are closed one after another. Each reconnects to another gateway within half a second and costs
 * it some queries.
 */
export const CLOSE_EVERY_MS = 2;
const CLOSE_WITHIN_MS = 10_000;
const CLOSE_STEP_MS = 20;

/** Exported for tests. */
export const realTime = { now: Date.now, sleep: (ms: number): Promise<void> => sleep(ms) };

/** Asks the sockets to reconnect elsewhere, in their order, within ten seconds. */
export async function closeOneByOne(
  sockets: readonly Pick<Socket, 'closeWith'>[],
  time = realTime,
): Promise<void> {
  const { length } = sockets;
  const steps = Math.ceil(Math.min(length * CLOSE_EVERY_MS, CLOSE_WITHIN_MS) / CLOSE_STEP_MS);
  const began = time.now();
  for (let step = 1, closed = 0; step <= steps; step += 1) {
    for (; closed < (length * step) / steps; closed += 1) {
      // With very many sockets there is no time to close them slowly enough, so the last ones wait.
      const wait = closed * CLOSE_EVERY_MS - step * CLOSE_STEP_MS;
      sockets[closed]?.closeWith(CLOSE_RESTART, 'restarting', wait);
    }
    await time.sleep(Math.max(0, began + step * CLOSE_STEP_MS - time.now()));
  }
}

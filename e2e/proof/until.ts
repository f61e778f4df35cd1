import { setTimeout as sleep } from 'node:timers/promises';

/** Returns whether the condition became true in time. */
export async function until(holds: () => boolean, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (!holds()) {
    if (performance.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

import { scheduler } from '../time.ts';

/** `node:timers/promises` on the virtual clock. */
export function setTimeout(ms: number): Promise<void> {
  return new Promise((resolve) => void scheduler.after(ms, resolve));
}

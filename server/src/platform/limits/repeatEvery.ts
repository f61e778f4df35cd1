import type { Clock } from '../ports/ports.ts';

/** Runs `work` until stopped, with a pause of `ms` before each run. `work` must handle its failures. */
export function repeatEvery(
  clock: Clock,
  ms: number,
  work: () => Promise<void> | void,
): { stop(): Promise<void> } {
  let stopped = false;
  let cancel = (): void => {};
  let running: Promise<void> | undefined;
  const schedule = (): void => {
    if (stopped) return;
    cancel = clock.after(ms, () => {
      const run = work();
      if (run === undefined) schedule();
      else running = run.finally(schedule);
    });
  };
  schedule();
  return {
    /** Waits for the current run. */
    async stop() {
      stopped = true;
      cancel();
      await running;
    },
  };
}

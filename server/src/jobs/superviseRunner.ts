import type { Runner } from 'graphile-worker';
import { type Log, reason } from '../log/log.ts';
import type { Clock } from '../ports.ts';

/** After the database was lost: as long as that lasts, jobs wait. */
const START_AGAIN_MS = 5_000;

type Kept = Pick<Runner, 'promise' | 'stop'>;

/** A lost database ends a runner. It must not end the gateway: another one is started. */
export async function superviseRunner(
  start: () => Promise<Kept>,
  { clock, log }: { clock: Clock; log: Log },
): Promise<{ isRunning(): boolean; stop(): Promise<void> }> {
  let runner = await start();
  let running = true;
  let stopping = false;
  let wake = (): void => {};

  const keep = async (): Promise<void> => {
    for (;;) {
      try {
        await runner.promise;
        if (stopping) return;
        log.error({}, 'jobs stopped by themselves');
      } catch (error) {
        log.error({ reason: reason(error) }, 'jobs stopped');
      }
      running = false;
      if (stopping) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
        clock.after(START_AGAIN_MS, resolve);
      });
      if (stopping) return;
      try {
        runner = await start();
        running = true;
      } catch (error) {
        log.error({ reason: reason(error) }, 'jobs not started');
      }
      // Told to stop while this one was starting, when there was only the old one to stop.
      if (stopping) return end(runner);
    }
  };
  const kept = keep();

  return {
    isRunning: () => running && !stopping,
    async stop() {
      stopping = true;
      wake();
      await end(runner);
      await kept;
    },
  };
}

/** Waits for the jobs under way. */
async function end(runner: Kept): Promise<void> {
  await runner.stop().catch(() => {
    // It has stopped by itself.
  });
}

import type { Runner } from 'graphile-worker';
import { type Log, reason } from '../platform/log/log.ts';
import type { Clock } from '../platform/ports/ports.ts';

/** Delay before a restart after the database was lost. */
const RESTART_DELAY_MS = 5_000;

type RestartableRunner = Pick<Runner, 'promise' | 'stop'>;

/** Restarts a runner that a lost database ended, so that the gateway survives. */
export async function superviseRunner(
  start: () => Promise<RestartableRunner>,
  { clock, log }: { clock: Clock; log: Log },
): Promise<{ isRunning(): boolean; stop(): Promise<void> }> {
  let runner = await start();
  let running = true;
  let stopping = false;
  let wake = (): void => {};

  const supervise = async (): Promise<void> => {
    for (;;) {
      try {
        await runner.promise;
        if (stopping) return;
        log.error({}, 'job runner stopped unexpectedly');
      } catch (error) {
        log.error({ reason: reason(error) }, 'job runner failed');
      }
      running = false;
      if (stopping) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
        clock.after(RESTART_DELAY_MS, resolve);
      });
      if (stopping) return;
      try {
        runner = await start();
        running = true;
      } catch (error) {
        log.error({ reason: reason(error) }, 'job runner not restarted');
      }
      // stop() was called during the start, when it could only stop the old runner.
      if (stopping) return end(runner);
    }
  };
  const supervised = supervise();

  return {
    isRunning: () => running && !stopping,
    async stop() {
      stopping = true;
      wake();
      await end(runner);
      await supervised;
    },
  };
}

/** Waits for running jobs. */
async function end(runner: RestartableRunner): Promise<void> {
  await runner.stop().catch(() => {
    // It has already stopped.
  });
}

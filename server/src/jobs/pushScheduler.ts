import type { SecondFactorPolicy } from '../config/config.ts';
import type { Database } from '../db/engine/database.ts';
import { enqueueDuePushes, rescuePushes } from '../db/push/pushDue.ts';
import { type Log, reason } from '../log/log.ts';
import type { Clock } from '../ports.ts';

const EVERY_MS = 1_000;
/** Locked rows delay messages to the same conversation, so batches are small. */
const BATCH = 50;
const RESCUE_EVERY_MS = 30_000;

type Parts = { db: Database; secondFactor: SecondFactorPolicy; clock: Clock; log: Log };

/** Enqueues due notifications every second until stopped. Any number of processes may run it. */
export function startPushScheduler({ db, secondFactor, clock, log }: Parts): {
  stop(): Promise<void>;
} {
  let stopping = false;
  let cancelTimer = (): void => {};
  let running = Promise.resolve();
  let rescueAt = 0;

  const handOut = async (): Promise<void> => {
    try {
      let taken = BATCH;
      while (!stopping && taken === BATCH) ({ taken } = await enqueueDuePushes(db, secondFactor, BATCH));
      if (clock.now() >= rescueAt) {
        const rescued = await rescuePushes(db);
        if (rescued > 0) log.warn({ rescued }, 'notifications of a lost worker queued again');
        rescueAt = clock.now() + RESCUE_EVERY_MS;
      }
    } catch (error) {
      // The database is unavailable, and so are the jobs. Retry in a second.
      log.warn({ reason: reason(error) }, 'due notifications not read');
    }
    if (!stopping) schedule();
  };
  const schedule = (): void => {
    cancelTimer = clock.after(EVERY_MS, () => {
      running = handOut();
    });
  };
  schedule();

  return {
    async stop() {
      stopping = true;
      cancelTimer();
      await running;
    },
  };
}

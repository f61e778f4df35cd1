import type { SecondFactorPolicy } from '../platform/config/config.ts';
import type { Database } from '../platform/db/database.ts';
import { repeatEvery } from '../platform/limits/repeatEvery.ts';
import { type Log, logFailure } from '../platform/log/log.ts';
import type { Clock } from '../platform/ports/ports.ts';
import { enqueueDuePushes } from './pushDue.store.ts';

const EVERY_MS = 1_000;
/** Locked rows delay messages to the same conversation, so batches are small. */
const BATCH = 50;

type Parts = { db: Database; secondFactor: SecondFactorPolicy; clock: Clock; log: Log };

/** Enqueues due notifications every second until stopped. Any number of processes may run it. */
export function startPushScheduler({ db, secondFactor, clock, log }: Parts): {
  stop(): Promise<void>;
} {
  let stopping = false;

  const enqueueDue = async (): Promise<void> => {
    let taken = BATCH;
    while (!stopping && taken === BATCH) ({ taken } = await enqueueDuePushes(db, secondFactor, BATCH));
  };
  // The jobs need the database too, so a failed run only waits for the next.
  const loop = repeatEvery(clock, EVERY_MS, () => logFailure(log, 'due notifications not read', enqueueDue));

  return {
    async stop() {
      stopping = true;
      await loop.stop();
    },
  };
}

import type { Database } from '../platform/db/database.ts';
import { repeatEvery } from '../platform/limits/repeatEvery.ts';
import { type Log, logFailure } from '../platform/log/log.ts';
import type { Clock } from '../platform/ports/ports.ts';
import { enqueueMail } from './mailJobs.store.ts';
import { takeDueMails } from './visitorMails.store.ts';
import { takeWaitingMails, wantsWaitingMails } from './waitingMails.store.ts';

const EVERY_MS = 10_000;
const BATCH = 50;

/** Enqueues due mails until stopped. Any number of processes may run it. */
export function startMailScheduler({ db, clock, log }: { db: Database; clock: Clock; log: Log }): {
  stop(): Promise<void>;
} {
  return repeatEvery(clock, EVERY_MS, () => logFailure(log, 'due mails not read', () => enqueueDueMails(db)));
}

/** Each mail and its job are one transaction: none is lost. */
export async function enqueueDueMails(db: Database): Promise<void> {
  let taken = BATCH;
  while (taken === BATCH) {
    taken = await db.transaction(async (step) => {
      const conversations = await takeDueMails(step, BATCH);
      for (const conversationId of conversations) await enqueueMail(step, { kind: 'reply', conversationId });
      return conversations.length;
    });
  }
  if (!(await wantsWaitingMails(db))) return;
  await db.transaction(async (step) => {
    for (const staffId of await takeWaitingMails(step)) await enqueueMail(step, { kind: 'waiting', staffId });
  });
}

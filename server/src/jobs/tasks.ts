import type { TaskList } from 'graphile-worker';
import { writeAnchor } from '../audit/auditAnchors.ts';
import { endBlocks } from '../conversations/endBlocks.ts';
import { markMissed } from '../conversations/searchDue.store.ts';
import { foldFigures } from '../dashboard/figures.store.ts';
import { updateUsualReply } from '../dashboard/usualReply.store.ts';
import { finishErasure } from '../erasure/erasure.store.ts';
import { purgeExpired } from '../erasure/expiry.store.ts';
import { eraseExpired } from '../erasure/retention.ts';
import { sweepErasures } from '../erasure/sweepErasures.ts';
import { mergeInviteCounts } from '../invites/inviteCounts.store.ts';
import { deleteEndedMails } from '../mail/mailJobs.store.ts';
import { type MailSettings, sendMail } from '../mail/sendMail.ts';
import { forgetPending } from '../mail/visitorMails.store.ts';
import { processMedia } from '../media/processMedia.ts';
import { sweepMedia } from '../media/sweepMedia.ts';
import type { SecondFactorPolicy } from '../platform/config/config.ts';
import type { Database } from '../platform/db/database.ts';
import type { Log } from '../platform/log/log.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import { noopMetrics } from '../platform/metrics/noopMetrics.ts';
import type { Clock, MailSender, MediaStore, PushSender } from '../platform/ports/ports.ts';
import { sendPush } from '../push/sendPush.ts';

export type TaskParts = {
  db: Database;
  secret: string;
  secondFactor: SecondFactorPolicy;
  media: MediaStore;
  /** Undefined without a key for notifications. */
  push: PushSender | undefined;
  /** Undefined without a mail server. */
  mail?: { sender: MailSender; config: MailSettings } | undefined;
  clock: Clock;
  log: Log;
  metrics?: Metrics;
};

/** All tasks by name. A task must be safe to repeat. */
export function tasks(parts: TaskParts): TaskList {
  return { ...otherTasks(parts), ...imageTasks(parts), ...mailTasks(parts) };
}

/** Tasks that use the media store or process images. */
export function imageTasks(parts: TaskParts): TaskList {
  const { media, log } = parts;
  return {
    async processMedia(payload) {
      await processMedia(parts, (payload as { mediaId: string }).mediaId);
    },
    async removeMedia(payload) {
      for (const path of (payload as { paths: string[] }).paths) await media.remove(path);
    },
    async sweepMedia() {
      const images = await sweepMedia(parts);
      if (images > 0) log.info({ images }, 'unused images removed');
    },
    async anchorAudit() {
      await writeAnchor(parts);
    },
    async sweepErasures() {
      const conversations = await sweepErasures(parts);
      if (conversations > 0) log.info({ conversations }, 'erased conversations cleaned up');
    },
  };
}

/** Processes without a mail server leave mails to others. */
export function mailTasks({ db, mail, log, metrics = noopMetrics }: TaskParts): TaskList {
  if (mail === undefined) return {};
  const { sender, config } = mail;
  return { mail: (payload, { job }) => sendMail({ db, config, mail: sender, log, metrics }, payload, job) };
}

export function otherTasks(parts: TaskParts): TaskList {
  const { db, push, clock, log } = parts;
  return {
    async purgeExpired() {
      // First, because the purge of many rows may fail.
      await forgetPending(db);
      await deleteEndedMails(db);
      log.info(await purgeExpired(db), 'expired rows deleted');
    },
    async eraseExpired() {
      const erased = await eraseExpired(parts);
      if (erased.conversations + erased.invites > 0) log.info(erased, 'expired data erased');
    },
    async finishErasure(payload) {
      await finishErasure(db, (payload as { conversationId: string }).conversationId);
    },
    async checkSearchIndex() {
      const conversations = await markMissed(db);
      if (conversations > 0) log.info({ conversations }, 'conversations missing in the search index');
    },
    async foldFigures() {
      await foldFigures(db);
    },
    async mergeInviteCounts() {
      await mergeInviteCounts(db);
    },
    async updateUsualReply() {
      await updateUsualReply(db, clock.now());
    },
    async endBlocks() {
      const blocks = await endBlocks(db);
      if (blocks > 0) log.info({ blocks }, 'blocks ended');
    },
    // Processes without a key leave notifications to others.
    ...(push !== undefined && { push: (job, { job: { id } }) => sendPush({ ...parts, push }, id, job) }),
  };
}

/** With job keys, runs missed while all workers were down become one job. */
export const otherCrontab = [
  '0 * * * * purgeExpired ?jobKey=purgeExpired&max=3',
  '5 * * * * updateUsualReply ?jobKey=updateUsualReply&max=3',
  '15 * * * * eraseExpired ?jobKey=eraseExpired&max=3',
  '20 3 * * * checkSearchIndex ?jobKey=checkSearchIndex&max=3',
  '* * * * * endBlocks ?jobKey=endBlocks&max=3',
  '* * * * * foldFigures ?jobKey=foldFigures&max=3',
  '* * * * * mergeInviteCounts ?jobKey=mergeInviteCounts&max=3',
].join('\n');
export const imageCrontab = [
  '30 * * * * sweepMedia ?jobKey=sweepMedia&max=3',
  '*/10 * * * * anchorAudit ?jobKey=anchorAudit&max=3',
  '45 * * * * sweepErasures ?jobKey=sweepErasures&max=3',
].join('\n');

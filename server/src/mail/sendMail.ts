import { createHash } from 'node:crypto';
import type { MailKind, MailOutcome } from '@settee/protocol/model/mail';
import type { JobHelpers } from 'graphile-worker';
import * as v from 'valibot';
import { hashLinkToken } from '../platform/auth/linkToken.ts';
import { type Config, cellPage } from '../platform/config/config.ts';
import type { Database } from '../platform/db/database.ts';
import type { Log } from '../platform/log/log.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import type { Mail, MailResult, MailSender } from '../platform/ports/ports.ts';
import { codeMail, passwordLinkMail, replyMail, waitingMail } from './compose.ts';
import { countMail } from './mailFigures.store.ts';
import { MAIL_ATTEMPTS, MailJob } from './mailJobs.store.ts';
import { decryptAddress, openContent, unsubscribeToken } from './mailSecrets.ts';
import {
  type Deferral,
  findCodeTarget,
  findReplyTarget,
  recordCodeRefused,
  recordCodeSent,
  recordReplyDeferred,
  recordReplyMailed,
  recordReplyRefused,
} from './visitorMails.store.ts';
import { findLinkTarget, findWaitingTarget } from './waitingMails.store.ts';

export type MailSettings = Pick<Config, 'secret' | 'secretPrevious' | 'publicUrl' | 'cell'>;
type Parts = { db: Database; config: MailSettings; mail: MailSender; log: Log; metrics: Metrics };

/** What to send, and what to do afterwards. */
type Due = {
  /** Undefined if this process cannot decrypt it. One with the current SECRET can. */
  mail: Mail | undefined;
  onSent?: () => Promise<void>;
  onRefused?: () => Promise<void>;
  /** How often it was tried, and how it is tried again. By default, graphile-worker does both. */
  triesBefore?: number;
  onDeferred?: (deferral: Deferral) => Promise<void>;
};

/** Makes graphile-worker run the job again. It is in the log already. */
export class MailDeferred extends Error {}

/**
 * Sends one mail, if it is still due. At least once: a process that dies before the job is done sends it again. A mail
 * server that asks to try again later, such as one with greylisting, gets the mail again after a growing delay.
 */
export async function sendMail(parts: Parts, payload: unknown, job: JobHelpers['job']): Promise<void> {
  const { db, mail, log, metrics } = parts;
  const wanted = v.parse(MailJob, payload);
  const due = await dueMail(parts, wanted);
  if (due === undefined) return;
  const { mail: content, onSent, onRefused, onDeferred, triesBefore = job.attempts - 1 } = due;
  const result: MailResult =
    content === undefined ? { outcome: 'deferred', reason: 'SECRET' } : await mail.send(content);
  const count = (outcome: MailOutcome, reason?: string) => {
    const kind: MailKind = wanted.kind;
    metrics.mail(kind, outcome);
    return countMail(db, { kind, outcome, reason });
  };
  if (result.outcome === 'sent') {
    await onSent?.();
    return count('sent');
  }
  const { reason } = result;
  if (result.outcome === 'refused') {
    log.warn({ mail: wanted.kind, reason }, 'mail refused');
    await onRefused?.();
    return count('refused', reason);
  }
  const tries = triesBefore + 1;
  const givesUp = tries >= MAIL_ATTEMPTS;
  log.warn({ mail: wanted.kind, reason, tries, givesUp }, 'mail not sent');
  await onDeferred?.({ tries, givesUp, maybeSent: result.maybeSent ?? false });
  await count(givesUp ? 'given_up' : 'deferred', reason);
  if (onDeferred === undefined && !givesUp) throw new MailDeferred(`mail not sent: ${reason}`);
}

/** Contains nothing that the recipient does not know. */
function mailId(...parts: (string | number)[]): string {
  return createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 32);
}

async function dueMail(parts: Parts, job: MailJob): Promise<Due | undefined> {
  switch (job.kind) {
    case 'reply':
      return dueReply(parts, job.conversationId);
    case 'code':
      return dueCode(parts, job);
    case 'waiting':
      return dueWaiting(parts, job.staffId);
    case 'passwordLink':
      return dueLink(parts, job);
  }
}

async function dueReply({ db, config }: Parts, conversationId: string): Promise<Due | undefined> {
  const target = await findReplyTarget(db, conversationId);
  if (target === undefined) return undefined;
  const { address, language, profileName: name, mark, seq, tries } = target;
  const to = decryptAddress({ config }, conversationId, address);
  const unsubscribeUrl = cellPage(config, `/mail/off/${unsubscribeToken({ config }, conversationId)}`);
  // The fragment says which chat. It opens only in a browser that has it.
  const chatUrl = `${config.publicUrl}/chat${mark === null ? '' : `/${mark}`}#${conversationId}`;
  const id = mailId('reply', conversationId, seq);
  const content = replyMail(language, { name, chatUrl, unsubscribeUrl });
  return {
    mail: to === undefined ? undefined : { id, to, fromName: name, ...content, unsubscribeUrl },
    onSent: () => recordReplyMailed(db, conversationId),
    onRefused: () => recordReplyRefused(db, conversationId, address),
    triesBefore: tries,
    // The scheduler checks whether the visitor is here or has seen the reply.
    onDeferred: (deferral) => recordReplyDeferred(db, { conversationId, address }, deferral),
  };
}

async function dueCode(
  { db, config }: Parts,
  { conversationId, sealed }: Extract<MailJob, { kind: 'code' }>,
): Promise<Due | undefined> {
  const target = await findCodeTarget(db, conversationId);
  if (target === undefined) return undefined;
  const { address, language, profileName: fromName } = target;
  const to = decryptAddress({ config }, conversationId, address);
  const code = openContent({ config }, conversationId, sealed);
  const isReadable = to !== undefined && code !== undefined;
  return {
    mail: isReadable
      ? { id: mailId('code', sealed), to, fromName, ...codeMail(language, fromName, code) }
      : undefined,
    onSent: () => recordCodeSent(db, conversationId, address),
    onRefused: () => recordCodeRefused(db, conversationId, address),
  };
}

async function dueWaiting({ db, config }: Parts, staffId: string): Promise<Due | undefined> {
  const target = await findWaitingTarget(db, staffId);
  if (target === undefined) return undefined;
  const { email: to, profileName: fromName, language, mailedAt } = target;
  const id = mailId('waiting', staffId, mailedAt);
  return { mail: { id, to, fromName, ...waitingMail(language, fromName, cellPage(config, '/handler')) } };
}

async function dueLink(
  { db, config }: Parts,
  { staffId, sealed }: Extract<MailJob, { kind: 'passwordLink' }>,
): Promise<Due | undefined> {
  const link = openContent({ config }, staffId, sealed);
  if (link === undefined) return { mail: undefined };
  const tokenHash = hashLinkToken(new URL(link).hash.slice(1));
  const target = tokenHash && (await findLinkTarget(db, staffId, tokenHash));
  if (target === undefined) return undefined;
  const { email: to, profileName: fromName, language } = target;
  const id = mailId('passwordLink', sealed);
  return { mail: { id, to, fromName, ...passwordLinkMail(language, fromName, link) } };
}
